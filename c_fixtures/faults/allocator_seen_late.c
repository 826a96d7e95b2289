// story: Each thread remembers the allocator that it asked for first, and does not see one that another thread installs later.
// breaks: ALC-0005 fail
#include "fault.h"

static __thread TVMFFICustomAllocator* cached;

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  if (!cached) cached = real.TVMFFIGetCustomAllocator();
  return cached;
}

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  int code = real.TVMFFISetCustomAllocator(allocator);
  cached = NULL;
  return code;
}
