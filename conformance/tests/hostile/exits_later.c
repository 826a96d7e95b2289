// story: Making a string has the process end as a success a moment later.
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "fault.h"

static void end(int signal) {
  (void)signal;
  _exit(0);
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  const struct itimerval soon = {{0, 0}, {0, 1}};
  signal(SIGALRM, end);
  setitimer(ITIMER_REAL, &soon, NULL);
  usleep(1000);
  return real.TVMFFIStringFromByteArray(input, out);
}
