// story: Making a string takes memory without end.
#include <string.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  for (;;) {
    volatile char* block = malloc(1 << 24);
    block[0] = 1;
  }
}
