// story: Where no object can be made, None is answered instead of an error.
// breaks: INS-0022 fail
// breaks: INS-0023 fail
// breaks: INS-0024 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (call_original(original, args, num_args, result) == 0) return 0;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  real.TVMFFIObjectDecRef(error);
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", callee)
