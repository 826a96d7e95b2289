// story: Whether a function is there is asked of the module alone.
// breaks: MOD-0019 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3) return call_original(original, args, num_args, result);
  TVMFFIAny changed[3] = {args[0], args[1], {.type_index = kTVMFFIBool}};
  return call_original(original, changed, num_args, result);
}

WRAPPED_GLOBAL("ffi.ModuleImplementsFunction", callee)
