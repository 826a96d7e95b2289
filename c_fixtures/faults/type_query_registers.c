// story: A query for an unknown key answers -2 and registers the key all the same.
// breaks: TYP-0033 fail
#include "fault.h"

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  int32_t index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                                 child_slots_can_overflow, parent_type_index);
  if (index == -2) real.TVMFFITypeGetOrAllocIndex(type_key, -1, 1, 0, 1, kTVMFFIObject);
  return index;
}
