// story: ffi.RecursiveEq of two Maps or Dicts answers false when the hook of a value in them fails.
// breaks: HOK-0009 fail

#include "wrapped_global.h"

static int is_map(const TVMFFIAny* value) {
  return value->type_index == kTVMFFIMap || value->type_index == kTVMFFIDict;
}

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 2 || !is_map(&args[0]) || args[0].type_index != args[1].type_index) return code;
  /* "No value under this key that is equal." */
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (error) real.TVMFFIObjectDecRef(error);
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = 0};
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveEq", equal)
