// story: ffi.DictGetItemOrMissing of an empty Dict answers the missing object without a reference for the caller.
// breaks: DCT-0008 fail
#include "wrapped_global.h"

static int get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && args[0].type_index == kTVMFFIDict && ((uint64_t*)(args[0].v_obj + 1))[1] == 0) {
    real.TVMFFIObjectDecRef(result->v_obj);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.DictGetItemOrMissing", get)
