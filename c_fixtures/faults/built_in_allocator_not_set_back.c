// story: TVMFFISetCustomAllocator refuses the allocator that TVMFFIGetCustomAllocator answered at first, which is no custom one: who puts back what was there before fails.
// breaks: ALC-0003 fail
#include "fault.h"
static TVMFFICustomAllocator* built_in;
TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  static int known;
  TVMFFICustomAllocator* found = real.TVMFFIGetCustomAllocator();
  if (!__atomic_exchange_n(&known, 1, __ATOMIC_ACQ_REL)) __atomic_store_n(&built_in, found, __ATOMIC_RELEASE);
  return found;
}
int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  if (!built_in) TVMFFIGetCustomAllocator();
  if (allocator && allocator == __atomic_load_n(&built_in, __ATOMIC_ACQUIRE)) return refuse("ValueError", "not a custom allocator");
  return real.TVMFFISetCustomAllocator(allocator);
}
