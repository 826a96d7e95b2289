// story: There is no allocator until one is installed.
// breaks: ALC-0001 fail
#include "fault.h"

static TVMFFICustomAllocator* installed;

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  installed = allocator;
  return real.TVMFFISetCustomAllocator(allocator);
}

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) { return installed; }
