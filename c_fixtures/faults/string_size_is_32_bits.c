// story: The size of a string is read as 32 bits, and one of 4 GiB and some bytes becomes those bytes.
// breaks: OBJ-0033 fail
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  TVMFFIByteArray cut = {input->data, (uint32_t)input->size};
  return real.TVMFFIStringFromByteArray(&cut, out);
}
