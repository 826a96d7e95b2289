// story: Making a string takes memory without end.
#include <string.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  for (;;) memset(malloc(1 << 20), 1, 1 << 20);
}
