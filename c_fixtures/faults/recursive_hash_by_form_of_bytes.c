// story: The recursive hash of bytes depends on whether they are an object.
// breaks: REC-0011 fail
#include "wrapped_global.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && num_args == 1 && args[0].type_index == kTVMFFISmallBytes) result->v_int64 ^= 1;
  return code;
}

WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
