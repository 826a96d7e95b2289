// story: Restoring the built-in allocator leaves none at all.
// breaks: ALC-0004 fail
#include "fault.h"

static int none;

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) { return none ? NULL : real.TVMFFIGetCustomAllocator(); }

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  none = !allocator;
  return real.TVMFFISetCustomAllocator(allocator);
}
