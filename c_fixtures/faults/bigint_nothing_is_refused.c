// story: No words are no integer.
// breaks: BIG-0003 fail
#include "fault.h"

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (input != NULL && input->size == 0) {
    real.TVMFFIErrorSetRaisedFromCStr("ValueError", "no words");
    return -1;
  }
  return real.TVMFFIBigIntFromByteArray(input, out);
}
