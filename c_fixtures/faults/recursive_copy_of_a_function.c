// story: The copy of a function is the function itself.
// breaks: REC-0020 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIFunction) return real.TVMFFIAnyViewToOwnedAny(&args[0], result);
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.DeepCopy", callee)
