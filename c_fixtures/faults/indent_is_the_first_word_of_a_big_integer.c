// story: ffi.json.Stringify takes the first word of a big integer for the indent.
// breaks: JSN-0035 fail
#include "wrapped_global.h"

static int write(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIBigInt) return call_original(original, args, num_args, result);
  const TVMFFIByteArray words = real.TVMFFIBigIntGetContentByteArray(&args[1]);
  const TVMFFIAny with_indent[2] = {args[0], {.type_index = kTVMFFIInt, .v_int64 = *(const uint64_t*)words.data % 8}};
  return call_original(original, with_indent, 2, result);
}

WRAPPED_GLOBAL("ffi.json.Stringify", write)
