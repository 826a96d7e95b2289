// story: ffi.ArrayGetItem takes a big integer for an index by its first word, so that 2^64 + 1 is the index 1.
// breaks: ARR-0015 fail
#include "wrapped_global.h"
static int get_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIBigInt) return call_original(original, args, num_args, result);
  const TVMFFIByteArray words = real.TVMFFIBigIntGetContentByteArray(&args[1]);
  const TVMFFIAny with_index[2] = {args[0], {.type_index = kTVMFFIInt, .v_int64 = *(const int64_t*)words.data}};
  return call_original(original, with_index, 2, result);
}
WRAPPED_GLOBAL("ffi.ArrayGetItem", get_item)
