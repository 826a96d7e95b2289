// story: There is no allocator until one is installed.
// breaks: ALC-0001 fail
#include "fault.h"

static TVMFFICustomAllocator* installed;

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  __atomic_store_n(&installed, allocator, __ATOMIC_RELEASE);
  return real.TVMFFISetCustomAllocator(allocator);
}

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) { return __atomic_load_n(&installed, __ATOMIC_ACQUIRE); }
