// story: A String of eight bytes or more whose last byte is NUL takes it for a terminator that was counted, and drops it.
// breaks: STR-0009 fail
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (input && input->data && input->size > 8 && input->size < ((size_t)1 << 40) && input->data[input->size - 1] == 0) {
    const TVMFFIByteArray shorter = {input->data, input->size - 1};
    return real.TVMFFIStringFromByteArray(&shorter, out);
  }
  return real.TVMFFIStringFromByteArray(input, out);
}
