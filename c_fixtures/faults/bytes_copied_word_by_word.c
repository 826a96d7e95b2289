// story: Bytes that are too long to stand inline are copied in words of eight bytes, the last of which reaches past the end.
// breaks: STR-0013 crash
#include "fault.h"

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (input && input->data && input->size > 7 && input->size < ((size_t)1 << 40)) {
    (void)*(volatile const char*)(input->data + ((input->size + 7) & ~(size_t)7) - 1);
  }
  return real.TVMFFIBytesFromByteArray(input, out);
}
