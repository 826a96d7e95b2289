// story: A module that cannot be written fails with a ValueError.
// breaks: MOD-0087 fail
#include "wrapped_global.h"

static int write(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObjectHandle error = NULL;
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 3) return code;
  real.TVMFFIErrorMoveFromRaised(&error);
  real.TVMFFIObjectDecRef(error);
  return refuse("ValueError", "the module cannot be written");
}

WRAPPED_GLOBAL("ffi.ModuleWriteToFile", write)
