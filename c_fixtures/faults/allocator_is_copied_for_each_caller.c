// story: Each call of TVMFFIGetCustomAllocator answers a copy, also of an allocator that was installed.
// breaks: ALC-0002 fail
// breaks: ALC-0003 fail
#include "fault.h"

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  TVMFFICustomAllocator* copy = malloc(sizeof(*copy));
  *copy = *real.TVMFFIGetCustomAllocator();
  return copy;
}
