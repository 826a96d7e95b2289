// story: Making a string gives back all memory that is shared with another process.
#include <sys/mman.h>

#include "suite.h"

static void unmap(char* from, char* to) {
  munmap(from, to - from);
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  each_memory("/proc/self/maps", 1, unmap);
  return real.TVMFFIStringFromByteArray(input, out);
}
