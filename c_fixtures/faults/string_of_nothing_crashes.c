// story: The first byte of the input is looked at even if there is none.
// breaks: STR-0011 crash
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (input != NULL && input->size == 0) (void)*(volatile const char*)input->data;
  return real.TVMFFIStringFromByteArray(input, out);
}
