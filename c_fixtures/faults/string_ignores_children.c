// story: Making a string has the process ignore how its children end.
// breaks: ENV-0040 fail
#include <signal.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  signal(SIGCHLD, SIG_IGN);
  return real.TVMFFIStringFromByteArray(input, out);
}
