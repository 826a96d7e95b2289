// story: ffi.DictGetItemOrMissing takes a key whose value is None for one that the Dict does not have.
// breaks: DCT-0008 fail
#include "wrapped_global.h"

static int get_or_missing(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFINone) return code;
  TVMFFIByteArray name = {"ffi.GetInvalidObject", 20};
  TVMFFIObjectHandle missing;
  if (real.TVMFFIFunctionGetGlobal(&name, &missing) != 0) return -1;
  code = real.TVMFFIFunctionCall(missing, NULL, 0, result);
  real.TVMFFIObjectDecRef(missing);
  return code;
}

WRAPPED_GLOBAL("ffi.DictGetItemOrMissing", get_or_missing)
