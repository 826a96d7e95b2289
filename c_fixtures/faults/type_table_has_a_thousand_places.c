// story: The type table has a fixed number of places.
// breaks: TYP-0036 crash
// breaks: TYP-0015 crash
#include "fault.h"

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  int32_t index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                                 child_slots_can_overflow, parent_type_index);
  if (index >= 1000) {
    fprintf(stderr, "too many types\n");
    abort();
  }
  return index;
}
