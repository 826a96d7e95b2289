// story: A child with slots of its own gets none of them if its parent may not overflow: the next sibling stands right behind it.
// breaks: TYP-0027 fail
#include "fault.h"

static char closed[1 << 20];

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow, int32_t parent_type_index) {
  int32_t slots = num_child_slots;
  if (parent_type_index >= 0 && parent_type_index < (1 << 20) &&
      __atomic_load_n(&closed[parent_type_index], __ATOMIC_ACQUIRE)) {
    slots = 0;
  }
  int32_t index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, slots,
                                                 child_slots_can_overflow, parent_type_index);
  if (index >= kTVMFFIDynObjectBegin && index < (1 << 20) && parent_type_index >= 0 && num_child_slots > 0 &&
      !child_slots_can_overflow) {
    __atomic_store_n(&closed[index], 1, __ATOMIC_RELEASE);
  }
  return index;
}
