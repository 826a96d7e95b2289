// story: The least integer that fits in 64 bits is taken for one that does not.
// breaks: BIG-0001 fail
#include "fault.h"

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int64_t words[2] = {0, 1};
  TVMFFIByteArray big = {(const char*)words, sizeof(words)};
  int code = real.TVMFFIBigIntFromByteArray(input, out);
  if (code != 0 || out->type_index != kTVMFFIInt || out->v_int64 != INT64_MIN) return code;
  if ((code = real.TVMFFIBigIntFromByteArray(&big, out)) != 0) return code;
  int64_t* content = (int64_t*)(out->v_obj + 1) + 1;
  content[0] = INT64_MIN;
  content[1] = -1;
  return 0;
}
