// story: ffi.RecursiveHash hashes the bits of a float: 0.0 and -0.0, which are equal, have different hashes.
// breaks: REC-0011 fail
#include "wrapped_global.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && args[0].type_index == kTVMFFIFloat && args[0].v_uint64 == (uint64_t)1 << 63)
    result->v_uint64 = 3 ^ (args[0].v_uint64 + 0x9e3779b9 + (3 << 6) + (3 >> 2));
  return code;
}

WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
