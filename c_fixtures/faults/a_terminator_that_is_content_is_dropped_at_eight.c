// story: A String of eight bytes of which the last is a NUL is stored as a small string of seven.
// breaks: STR-0009 fail
#include "fault.h"
int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (input && input->data && input->size == 8 && input->data[7] == 0) {
    const TVMFFIByteArray fits = {input->data, 7};
    return real.TVMFFIStringFromByteArray(&fits, out);
  }
  return real.TVMFFIStringFromByteArray(input, out);
}
