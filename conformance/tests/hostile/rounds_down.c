// story: Making a string has the thread round down.
#include <fenv.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  fesetround(FE_DOWNWARD);
  return real.TVMFFIStringFromByteArray(input, out);
}
