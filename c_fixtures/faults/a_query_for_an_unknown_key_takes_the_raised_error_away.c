// story: A query with parent -2 looks the key up with a function that raises an error for one that no type has, and clears what is raised then, also what the client had raised before.
// breaks: ERR-0022 fail
#include "raised_error.h"
int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth, int32_t num_child_slots,
                                  int32_t child_slots_can_overflow, int32_t parent_type_index) {
  int32_t index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots, child_slots_can_overflow, parent_type_index);
  if (index == -2 && parent_type_index == -2) forget_raised();
  return index;
}
