// story: The first types that are registered at run time get the free indices below 128.
// breaks: TYP-0017 fail
#include "fault.h"

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  static int32_t next = 100;
  int32_t known = real.TVMFFITypeGetOrAllocIndex(type_key, -1, 0, 0, 0, -2);
  if (known >= 0 || parent_type_index == -2) return known;
  if (static_type_index == -1 && parent_type_index == kTVMFFIObject && num_child_slots == 0) {
    int32_t index = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
    if (index < 104) static_type_index = index;
  }
  return real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}
