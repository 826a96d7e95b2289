// story: An integer is made after a look behind its last word.
// breaks: BIG-0012 crash
#include "fault.h"

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (input != NULL && input->data != NULL && input->size > 8) (void)*(volatile int64_t*)(input->data + input->size);
  return real.TVMFFIBigIntFromByteArray(input, out);
}
