// story: Making a string overflows the stack.
#include "fault.h"

static int deeper(volatile char* above) {
  volatile char frame[4096];
  frame[0] = above[0];
  return deeper(frame) + frame[0];
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)out;
  volatile char first = (char)input->size;
  return deeper(&first);
}
