// story: Objects that cannot be compared, since a hook or a getter fails, are recursively equal.
// breaks: HOK-0009 fail
// breaks: HOK-0019 fail
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObjectHandle error = NULL;
  if (call_original(original, args, num_args, result) == 0) return 0;
  real.TVMFFIErrorMoveFromRaised(&error);
  real.TVMFFIObjectDecRef(error);
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = 1};
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveEq", equal)
