// story: Making a string takes a terabyte of the stack.
#include <alloca.h>

#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  volatile char* memory = alloca(1ULL << 40);
  memory[0] = 1;
  return real.TVMFFIStringFromByteArray(input, out);
}
