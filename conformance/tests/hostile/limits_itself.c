// story: Making a string takes from the process what it may do.
#include <sys/resource.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_FSIZE, &none);
  setrlimit(RLIMIT_NPROC, &none);
  setrlimit(RLIMIT_NOFILE, &none);
  return real.TVMFFIStringFromByteArray(input, out);
}
