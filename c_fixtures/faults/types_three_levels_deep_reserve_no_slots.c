// story: A type of depth 3 or more that may overflow reserves no indices for its children, which are given to types that do not descend from it.
// breaks: TYP-0035 fail
#include "fault.h"
int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth, int32_t num_child_slots,
                                  int32_t child_slots_can_overflow, int32_t parent_type_index) {
  if (type_depth >= 3 && child_slots_can_overflow && parent_type_index >= kTVMFFIDynObjectBegin) num_child_slots = 0;
  return real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots, child_slots_can_overflow, parent_type_index);
}
