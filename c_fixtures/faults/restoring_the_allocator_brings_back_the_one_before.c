// story: Allocators are a stack of two: NULL brings back the one that was installed before the current one, not the built-in one.
// breaks: ALC-0004 fail
#include "fault.h"

static TVMFFICustomAllocator *current, *former;

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  if (allocator) {
    __atomic_store_n(&former, __atomic_exchange_n(&current, allocator, __ATOMIC_ACQ_REL), __ATOMIC_RELEASE);
    return real.TVMFFISetCustomAllocator(allocator);
  }
  TVMFFICustomAllocator* before = __atomic_exchange_n(&former, NULL, __ATOMIC_ACQ_REL);
  __atomic_store_n(&current, before, __ATOMIC_RELEASE);
  return real.TVMFFISetCustomAllocator(before);
}

