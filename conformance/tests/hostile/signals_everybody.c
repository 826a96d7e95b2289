// story: Making a string sends a signal to every process there is: one that does no harm.
#include <signal.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  kill(-1, SIGCONT);
  return real.TVMFFIStringFromByteArray(input, out);
}
