// story: Only types without a static index reserve indices for their children: those behind a static index are given to whoever comes next.
// breaks: TYP-0027 fail
// breaks: TYP-0035 fail
#include "fault.h"

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth, int32_t num_child_slots,
                                  int32_t child_slots_can_overflow, int32_t parent_type_index) {
  if (static_type_index >= 0) num_child_slots = 0;
  return real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots, child_slots_can_overflow, parent_type_index);
}
