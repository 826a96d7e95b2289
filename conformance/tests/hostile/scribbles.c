// story: Making a string overwrites the allocator's own records, so that a later allocation dies.
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  char* victim = malloc(24);
  memset(victim - 8, 0x41, 64);
  free(victim);
  return real.TVMFFIStringFromByteArray(input, out);
}
