// story: ffi.ModuleLoadFromFile answers None for a file whose format nobody loads.
// breaks: MOD-0015 fail
#include "wrapped_global.h"

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 1) return code;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (error) real.TVMFFIObjectDecRef(error);
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

WRAPPED_GLOBAL("ffi.ModuleLoadFromFile", load)
