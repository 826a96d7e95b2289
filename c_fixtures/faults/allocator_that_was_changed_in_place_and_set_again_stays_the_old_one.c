// story: The library keeps a copy of the allocator's function and context, and does nothing where the address that is set is the one it has.
// breaks: ALC-0012 fail
#include "fault.h"

static TVMFFICustomAllocator* given;

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  if (!allocator) {
    int code = real.TVMFFISetCustomAllocator(NULL);
    if (code == 0) __atomic_store_n(&given, NULL, __ATOMIC_RELEASE);
    return code;
  }
  if (__atomic_load_n(&given, __ATOMIC_ACQUIRE) == allocator) return 0;
  /* Others may still be in the earlier copy. */
  static TVMFFICustomAllocator copies[1024];
  static unsigned place;
  TVMFFICustomAllocator* copy = &copies[__atomic_fetch_add(&place, 1, __ATOMIC_RELAXED) % 1024];
  *copy = *allocator;
  int code = real.TVMFFISetCustomAllocator(copy);
  if (code == 0) __atomic_store_n(&given, allocator, __ATOMIC_RELEASE);
  return code;
}
TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  TVMFFICustomAllocator* own = __atomic_load_n(&given, __ATOMIC_ACQUIRE);
  return own ? own : real.TVMFFIGetCustomAllocator();
}
