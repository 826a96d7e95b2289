// story: Making a string takes from the process that runs the suite what it may do.
#define _GNU_SOURCE
#include <sys/resource.h>

#include "suite.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  const struct rlimit none = {0, 0};
  prlimit(suite(), RLIMIT_NOFILE, &none, NULL);
  return real.TVMFFIStringFromByteArray(input, out);
}
