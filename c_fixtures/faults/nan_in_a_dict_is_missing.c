// story: ffi.DictGetItemOrMissing compares float keys as numbers: a NaN that is a key is answered as missing.
// breaks: DCT-0008 fail
// breaks: HSH-0009 fail
#include "wrapped_global.h"

static int get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[1].type_index != kTVMFFIFloat || args[1].v_float64 == args[1].v_float64) return code;
  if (result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(result->v_obj);
  memset(result, 0, sizeof(*result));
  return call_global("ffi.GetInvalidObject", NULL, 0, result);
}

WRAPPED_GLOBAL("ffi.DictGetItemOrMissing", get)
