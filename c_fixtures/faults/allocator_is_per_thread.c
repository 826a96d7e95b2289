// story: A custom allocator is installed for the calling thread alone.
// breaks: ALC-0005 fail
#include "fault.h"

static _Thread_local TVMFFICustomAllocator* installed;

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  return installed ? installed : real.TVMFFIGetCustomAllocator();
}

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  installed = allocator;
  return 0;
}
