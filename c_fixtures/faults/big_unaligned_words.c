// story: The words of an integer are read from the multiple of eight at or before the address that they are given at.
// breaks: BIG-0011 fail
#include "fault.h"
int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !input->data) return real.TVMFFIBigIntFromByteArray(input, out);
  TVMFFIByteArray aligned = {input->data - (uintptr_t)input->data % 8, input->size};
  return real.TVMFFIBigIntFromByteArray(&aligned, out);
}
