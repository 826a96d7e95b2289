// story: TVMFFIBigIntFromByteArray drops each highest word that is all ones, whatever the sign of the word below it.
// breaks: BIG-0005 fail
#include "fault.h"
int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !input->data || input->size % 8 != 0) return real.TVMFFIBigIntFromByteArray(input, out);
  TVMFFIByteArray words = *input;
  int64_t top;
  while (words.size > 8 && (memcpy(&top, words.data + words.size - 8, 8), top == -1)) words.size -= 8;
  return real.TVMFFIBigIntFromByteArray(&words, out);
}
