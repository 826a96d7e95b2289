// story: Making a string stops the process that runs the suite.
#include <signal.h>

#include "suite.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  kill(suite(), SIGSTOP);
  return real.TVMFFIStringFromByteArray(input, out);
}
