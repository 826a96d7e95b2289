// story: A thread that has asked for the allocator gets the same one ever after, whatever another thread installs.
// breaks: ALC-0005 fail
#include "fault.h"

static __thread TVMFFICustomAllocator* mine;

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  if (!mine) mine = real.TVMFFIGetCustomAllocator();
  return mine;
}

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  mine = NULL;
  return real.TVMFFISetCustomAllocator(allocator);
}
