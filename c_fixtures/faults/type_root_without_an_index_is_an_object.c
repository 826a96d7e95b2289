// story: A root without a static index becomes a child of ffi.Object.
// breaks: TYP-0045 fail
#include "fault.h"

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  if (static_type_index < 0 && parent_type_index == -1 && type_depth == 0) type_depth = 1, parent_type_index = kTVMFFIObject;
  return real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}
