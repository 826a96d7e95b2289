// story: A String ends at the first NUL of its input.
// breaks: STR-0009 fail
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int readable = input != NULL && input->data != NULL && input->size < 1000000;
  const char* nul = readable ? memchr(input->data, 0, input->size) : NULL;
  if (nul == NULL) return real.TVMFFIStringFromByteArray(input, out);
  TVMFFIByteArray cut = {input->data, (size_t)(nul - input->data)};
  return real.TVMFFIStringFromByteArray(&cut, out);
}
