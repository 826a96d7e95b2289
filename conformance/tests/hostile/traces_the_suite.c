// story: Making a string attaches to the process that runs the suite as a debugger, which stops it.
#include <sys/ptrace.h>

#include "suite.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  ptrace(PTRACE_ATTACH, suite(), 0, 0);
  return real.TVMFFIStringFromByteArray(input, out);
}
