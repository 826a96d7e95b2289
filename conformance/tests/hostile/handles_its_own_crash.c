// story: Making a string crashes, in a process whose handler of that waits for ever.
#include <signal.h>
#include <unistd.h>

#include "fault.h"

static void wait_for_ever(int signal) {
  (void)signal;
  for (;;) pause();
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  signal(SIGSEGV, wait_for_ever);
  raise(SIGSEGV);
  return 0;
}
