// story: The recursive hash of a dense Dict depends on the number of its slots, and so on what was in it before.
// breaks: REC-0011 fail

#include "wrapped_global.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIDict) return code;
  uint64_t slots = ((uint64_t*)(args[0].v_obj + 1))[2];
  if (slots >> 63 || slots == 0) return 0; /* small, or empty */
  /* Empty slots are hashed as None. */
  for (uint64_t i = 0; i < slots; ++i) {
    result->v_uint64 = result->v_uint64 * 31 + 7;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
