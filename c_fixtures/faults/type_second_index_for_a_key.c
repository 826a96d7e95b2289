// story: A key that is registered again with other slots gets a second index.
// breaks: TYP-0018 fail
#include "fault.h"

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  int32_t known = real.TVMFFITypeGetOrAllocIndex(type_key, -1, 0, 0, 0, -2);
  if (known >= 0 && num_child_slots > 0 && !child_slots_can_overflow) return known + 1;
  return real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}
