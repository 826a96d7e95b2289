// story: Making a string kills the process that runs the suite, in another way.
#include <signal.h>

#include "suite.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  sigqueue(suite(), SIGKILL, (union sigval){0});
  return real.TVMFFIStringFromByteArray(input, out);
}
