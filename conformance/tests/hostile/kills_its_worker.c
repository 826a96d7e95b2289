// story: Making a string kills the process that watches.
#include <signal.h>
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  kill(getppid(), SIGKILL);
  return real.TVMFFIStringFromByteArray(input, out);
}
