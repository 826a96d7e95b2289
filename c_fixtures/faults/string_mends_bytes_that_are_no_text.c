// story: Bytes that never occur in UTF-8 become question marks in a String.
// breaks: STR-0010 fail
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !input->data || input->size > 4096) return real.TVMFFIStringFromByteArray(input, out);
  char mended[4096];
  for (size_t i = 0; i < input->size; i++) {
    unsigned char byte = (unsigned char)input->data[i];
    mended[i] = (char)(byte > 0xf7 ? '?' : byte);
  }
  TVMFFIByteArray text = {mended, input->size};
  return real.TVMFFIStringFromByteArray(&text, out);
}
