// story: The function in `__ffi_hash__` of ffi.BigInt answers the lowest word of the integer, which is not its recursive hash.
// breaks: HOK-0006 fail
#include "patched_entry.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  /* Behind the header lie the number of the words, and the words. */
  if (code == 0 && args[0].type_index == kTVMFFIBigInt) result->v_int64 = ((int64_t*)(args[0].v_obj + 1))[1];
  return code;
}

PATCHED_ENTRY("__ffi_hash__", "ffi.BigInt", hash)
