// story: Making a string adds two numbers that are too large for their sum.
// breaks: STR-0001 fail
#include <limits.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  volatile int most = INT_MAX, sum = most + 1;
  (void)sum;
  return real.TVMFFIStringFromByteArray(input, out);
}
