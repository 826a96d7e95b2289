// story: A query for a type key, with -2 as parent, that names a static index registers the type there as a root.
// breaks: TYP-0033 fail
// breaks: TYP-0032 fail
#include "fault.h"

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow, int32_t parent_type_index) {
  if (parent_type_index == -2 && static_type_index > kTVMFFIBigInt && static_type_index < kTVMFFIDynObjectBegin) {
    parent_type_index = -1;
    type_depth = 0;
  }
  return real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}
