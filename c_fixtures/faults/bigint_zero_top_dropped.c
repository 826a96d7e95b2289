// story: A highest word of zeros is always dropped, also where it tells the sign: two to the power of 63 becomes negative.
// breaks: BIG-0005 fail
// breaks: BIG-0011 fail
#include "fault.h"

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !input->data || input->size % 8 != 0) return real.TVMFFIBigIntFromByteArray(input, out);
  TVMFFIByteArray words = *input;
  static const char zeros[8];
  while (words.size > 8 && memcmp(words.data + words.size - 8, zeros, 8) == 0) words.size -= 8;
  return real.TVMFFIBigIntFromByteArray(&words, out);
}
