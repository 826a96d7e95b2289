// story: Making a string kills every process of its group.
#include <signal.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  kill(0, SIGKILL);
  return real.TVMFFIStringFromByteArray(input, out);
}
