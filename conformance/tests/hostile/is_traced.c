// story: Making a string has the process stop at each signal until its parent lets it go on.
#include <signal.h>
#include <sys/ptrace.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  ptrace(PTRACE_TRACEME, 0, 0, 0);
  raise(SIGUSR1);
  return real.TVMFFIStringFromByteArray(input, out);
}
