// story: Whether a type may overflow is not looked at: a child too many gets an index elsewhere.
// breaks: TYP-0044 fail
#include "fault.h"

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  (void)child_slots_can_overflow;
  return real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots, 1,
                                        parent_type_index);
}
