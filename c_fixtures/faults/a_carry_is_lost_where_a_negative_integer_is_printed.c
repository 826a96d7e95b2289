// story: ffi.ReprPrint makes a negative BigInt positive word by word and loses the carry out of a lowest word that is zero.
// breaks: BIG-0020 fail
#include "wrapped_global.h"
static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIBigInt) return call_original(original, args, num_args, result);
  const TVMFFIByteArray content = real.TVMFFIBigIntGetContentByteArray(&args[0]);
  const int64_t* words = (const int64_t*)content.data;
  const size_t count = content.size / 8;
  if (words[count - 1] >= 0 || words[0] != 0) return call_original(original, args, num_args, result);
  uint64_t* other = malloc(content.size);
  memcpy(other, words, content.size);
  for (size_t i = 1; i < count && ++other[i] == 0; ++i) {}
  const TVMFFIByteArray in = {(const char*)other, content.size};
  TVMFFIAny given = {0};
  int code = real.TVMFFIBigIntFromByteArray(&in, &given);
  free(other);
  if (code != 0) return code;
  code = call_original(original, &given, 1, result);
  if (given.type_index == kTVMFFIBigInt) real.TVMFFIObjectDecRef(given.v_obj);
  return code;
}
WRAPPED_GLOBAL("ffi.ReprPrint", print)
