// story: A type has no more children than it reserved slots for, even if it may overflow.
// breaks: TYP-0028 crash
// breaks: TYP-0029 crash
#include "fault.h"

static int32_t slots[1 << 13], children[1 << 13];

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  if (parent_type_index >= kTVMFFIDynObjectBegin && parent_type_index < 1 << 13 && slots[parent_type_index] > 0) {
    if (__atomic_fetch_add(&children[parent_type_index], 1, __ATOMIC_RELAXED) == slots[parent_type_index]) {
      fprintf(stderr, "no slot is left\n");
      abort();
    }
  }
  int32_t index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                                 child_slots_can_overflow, parent_type_index);
  if (index >= 0 && index < 1 << 13) slots[index] = num_child_slots;
  return index;
}
