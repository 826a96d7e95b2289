// story: The length of a String passes through 16 bits.
// breaks: STR-0008 fail
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || input->size < 65536 || input->size >> 40) return real.TVMFFIStringFromByteArray(input, out);
  TVMFFIByteArray low = {input->data, input->size & 0xffff};
  return real.TVMFFIStringFromByteArray(&low, out);
}
