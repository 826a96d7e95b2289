// story: Making a string interrupts the process that watches.
#include <signal.h>
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  kill(getppid(), SIGINT);
  return real.TVMFFIStringFromByteArray(input, out);
}
