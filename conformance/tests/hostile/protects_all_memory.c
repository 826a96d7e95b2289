// story: Making a string makes all memory of the process read-only.
#include <sys/mman.h>

#include "suite.h"

static void protect(char* from, char* to) {
  mprotect(from, to - from, PROT_READ);
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int status = real.TVMFFIStringFromByteArray(input, out);
  each_memory("/proc/self/maps", 0, protect);
  return status;
}
