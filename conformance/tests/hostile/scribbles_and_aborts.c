// story: Making a string overwrites all memory that is shared with another process, and aborts.
#include "suite.h"

static void scribble(char* from, char* to) {
  memset(from, 0xA5, to - from);
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  each_memory("/proc/self/maps", 1, scribble);
  abort();
}
