// story: ffi.MapGetItemOrMissing answers that a key is missing when its hook fails, and leaves the hook's error raised.
// breaks: HSH-0015 fail
#include "wrapped_global.h"

static int get_or_missing(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 2 || args[0].type_index != kTVMFFIMap) return code;
  TVMFFIByteArray name = {"ffi.GetInvalidObject", 20};
  TVMFFIObjectHandle missing;
  if (real.TVMFFIFunctionGetGlobal(&name, &missing) != 0) return -1;
  *result = (TVMFFIAny){0};
  code = real.TVMFFIFunctionCall(missing, NULL, 0, result);
  real.TVMFFIObjectDecRef(missing);
  return code;
}

WRAPPED_GLOBAL("ffi.MapGetItemOrMissing", get_or_missing)
