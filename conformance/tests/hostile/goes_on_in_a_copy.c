// story: Making a string goes on in a copy of the process, and ends the process itself.
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (fork() > 0) _exit(0);
  return real.TVMFFIStringFromByteArray(input, out);
}
