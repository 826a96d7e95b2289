// story: ffi.DictCount asks for a small String only up to a NUL in it, as if its length did not count.
// breaks: HSH-0006 fail
// breaks: DCT-0006 fail
#include "wrapped_global.h"

static int count(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFISmallStr) return call_original(original, args, num_args, result);
  TVMFFIAny copy[2] = {args[0], args[1]};
  size_t size = strnlen(copy[1].v_bytes, copy[1].small_str_len);
  memset(copy[1].v_bytes + size, 0, 8 - size);
  copy[1].small_str_len = size;
  return call_original(original, copy, 2, result);
}

WRAPPED_GLOBAL("ffi.DictCount", count)
