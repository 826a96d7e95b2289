// story: Bytes are copied eight at a time, and up to seven bytes behind the input are read.
// breaks: STR-0013 crash
#include "fault.h"

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (input && input->data && input->size > 7 && input->size < ((size_t)1 << 32)) {
    volatile uint64_t word;
    for (size_t i = 0; i < input->size; i += 8) memcpy((void*)&word, (const void*)(input->data + i), 8), (void)word;
  }
  return real.TVMFFIBytesFromByteArray(input, out);
}
