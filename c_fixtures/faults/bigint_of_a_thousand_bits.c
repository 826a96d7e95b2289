// story: Integers of more than 1024 bits are cut.
// breaks: BIG-0011 fail
#include "fault.h"

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (input == NULL || input->size % 8 != 0 || input->size <= 128) return real.TVMFFIBigIntFromByteArray(input, out);
  TVMFFIByteArray cut = {input->data, 128};
  return real.TVMFFIBigIntFromByteArray(&cut, out);
}
