// story: Making a string closes every descriptor of the process.
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  for (int descriptor = 0; descriptor < 4096; ++descriptor) close(descriptor);
  return real.TVMFFIStringFromByteArray(input, out);
}
