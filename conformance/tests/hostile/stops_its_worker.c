// story: Making a string stops the process that watches.
#include <signal.h>
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  kill(getppid(), SIGSTOP);
  return real.TVMFFIStringFromByteArray(input, out);
}
