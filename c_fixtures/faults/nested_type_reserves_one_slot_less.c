// story: A type below a type of a client's, which may overflow, reserves its slots without counting itself: its next sibling lies in its range.
// breaks: TYP-0026 fail
#include "fault.h"
int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* key, int32_t static_index, int32_t depth, int32_t slots,
                                  int32_t overflow, int32_t parent) {
  if (parent >= kTVMFFIDynObjectBegin && static_index < 0 && slots > 0 && overflow) --slots;
  return real.TVMFFITypeGetOrAllocIndex(key, static_index, depth, slots, overflow, parent);
}
