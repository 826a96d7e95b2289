// story: Making a string overwrites the memory of the process that runs the suite.
#define _GNU_SOURCE
#include <sys/uio.h>

#include "suite.h"

static void overwrite(char* from, char* to) {
  static char zeros[4096];
  for (; from < to; from += sizeof zeros) {
    struct iovec here = {zeros, sizeof zeros}, there = {from, sizeof zeros};
    process_vm_writev(suite(), &here, 1, &there, 1, 0);
  }
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/maps", (int)suite());
  each_memory(path, 0, overwrite);
  return real.TVMFFIStringFromByteArray(input, out);
}
