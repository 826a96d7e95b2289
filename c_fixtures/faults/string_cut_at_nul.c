// story: A String ends at the first NUL of its input.
// breaks: STR-0009 fail
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  const char* nul = input == NULL || input->data == NULL ? NULL : memchr(input->data, 0, input->size);
  if (nul == NULL) return real.TVMFFIStringFromByteArray(input, out);
  TVMFFIByteArray cut = {input->data, (size_t)(nul - input->data)};
  return real.TVMFFIStringFromByteArray(&cut, out);
}
