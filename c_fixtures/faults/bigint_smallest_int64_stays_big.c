// story: The words of -2^63 with a repeated sign word become a BigInt of two words, since the smallest integer of 64 bits is not counted as one.
// breaks: BIG-0004 fail
#include "fault.h"

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (input && out && input->size == 16) {
    uint64_t words[2];
    memcpy(words, input->data, 16);
    if (words[0] == 1ull << 63 && words[1] == ~0ull) {
      words[1] = ~1ull;
      int code = real.TVMFFIBigIntFromByteArray(&(TVMFFIByteArray){(char*)words, 16}, out);
      if (code == 0) {
        TVMFFIByteArray content = real.TVMFFIBigIntGetContentByteArray(out);
        ((uint64_t*)content.data)[1] = ~0ull;
      }
      return code;
    }
  }
  return real.TVMFFIBigIntFromByteArray(input, out);
}
