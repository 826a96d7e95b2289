// story: A key of a Dict whose value is None is answered as missing.
// breaks: DCT-0008 fail
#include "wrapped_global.h"

static int find(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFINone) return code;
  return call_global("ffi.GetInvalidObject", NULL, 0, result);
}

WRAPPED_GLOBAL("ffi.DictGetItemOrMissing", find)
