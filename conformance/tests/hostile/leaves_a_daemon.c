// story: Making a string leaves a process behind.
#include <signal.h>
#include <unistd.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  static int done;
  if (!done++ && fork() == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    signal(SIGTERM, SIG_IGN);
    for (;;) pause();
  }
  return real.TVMFFIStringFromByteArray(input, out);
}
