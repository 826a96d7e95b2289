// story: Restoring the built-in allocator leaves none at all.
// breaks: ALC-0004 fail
#include "fault.h"

static int none;

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  return __atomic_load_n(&none, __ATOMIC_ACQUIRE) ? NULL : real.TVMFFIGetCustomAllocator();
}

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  __atomic_store_n(&none, !allocator, __ATOMIC_RELEASE);
  return real.TVMFFISetCustomAllocator(allocator);
}
