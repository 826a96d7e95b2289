// story: Making a string calls a function that is not there.
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int (*volatile nothing)(const TVMFFIByteArray*, TVMFFIAny*) = 0;
  return nothing(input, out) + 1;
}
