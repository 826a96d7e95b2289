// story: TVMFFIBytesFromByteArray reads its input in words of eight bytes, and so reads past the end of one whose length is no multiple of eight.
// breaks: STR-0013 crash
#include "fault.h"

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !out || !input->data || input->size < 9 || input->size > 1 << 20) return real.TVMFFIBytesFromByteArray(input, out);
  size_t words = (input->size + 7) / 8;
  uint64_t* copy = malloc(words * 8);
  for (size_t i = 0; i < words; ++i) {
    for (int j = 0; j < 8; ++j) ((char*)copy)[i * 8 + j] = ((const volatile char*)input->data)[i * 8 + j];
  }
  int code = real.TVMFFIBytesFromByteArray(&(TVMFFIByteArray){(char*)copy, input->size}, out);
  free(copy);
  return code;
}
