// story: Making a string leaves a process that goes on in a new one all the time.
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (fork() == 0) {
    for (;;) {
      setsid();
      if (fork() > 0) _exit(0);
    }
  }
  return real.TVMFFIStringFromByteArray(input, out);
}
