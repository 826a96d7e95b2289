// story: A static index is a mere hint: every new type gets the next free one.
// breaks: TYP-0030 fail
#include "fault.h"

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  (void)static_type_index;
  return real.TVMFFITypeGetOrAllocIndex(type_key, -1, type_depth, num_child_slots, child_slots_can_overflow,
                                        parent_type_index);
}
