// story: A custom allocator can be installed and is answered when asked for, but the library's objects never come from it.
// breaks: ALC-0012 fail
// breaks: ALC-0013 fail
#include "fault.h"

static TVMFFICustomAllocator* installed;

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  __atomic_store_n(&installed, allocator, __ATOMIC_RELEASE);
  return 0;
}

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  TVMFFICustomAllocator* allocator = __atomic_load_n(&installed, __ATOMIC_ACQUIRE);
  return allocator ? allocator : real.TVMFFIGetCustomAllocator();
}
