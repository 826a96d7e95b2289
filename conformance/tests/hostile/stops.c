// story: Making a string stops the process.
#include <signal.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  raise(SIGSTOP);
  return real.TVMFFIStringFromByteArray(input, out);
}
