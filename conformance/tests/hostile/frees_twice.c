// story: Making a string gives one block back to the allocator twice.
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  char* volatile block = malloc(24);
  free(block);
  free(block);
  return real.TVMFFIStringFromByteArray(input, out);
}
