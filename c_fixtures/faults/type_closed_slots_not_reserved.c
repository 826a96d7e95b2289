// story: A type that may not overflow reserves no slots, and its children lie anywhere.
// breaks: TYP-0024 fail
#include "fault.h"

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  if (!child_slots_can_overflow) num_child_slots = 0;
  return real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots, 1,
                                        parent_type_index);
}
