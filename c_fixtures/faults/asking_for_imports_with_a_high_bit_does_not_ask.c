// story: Whether a module's imports are asked is read of the low 32 bits of an integer that is given for the boolean.
// breaks: ARG-0005 fail
#include "wrapped_global.h"

static int asked(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[2].type_index != kTVMFFIInt) return call_original(original, args, num_args, result);
  TVMFFIAny cut[3] = {args[0], args[1], args[2]};
  cut[2].v_int64 = (int32_t)args[2].v_int64;
  return call_original(original, cut, num_args, result);
}

WRAPPED_GLOBALS(asked, "ffi.ModuleImplementsFunction", "ffi.ModuleGetFunction")

