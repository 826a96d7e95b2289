// story: A type below ffi.Object that may overflow gets five slots more for its children than it asked for.
// admitted: TYP-0024 binds types that may not overflow; TYP-0026 keeps the slots for descendants, and a child beyond the range that the client knows has its ancestors (TYP-0035).
#include "fault.h"

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow, int32_t parent_type_index) {
  if (static_type_index < 0 && parent_type_index == kTVMFFIObject && child_slots_can_overflow && num_child_slots >= 0 && num_child_slots < 1024) {
    num_child_slots += 5;
  }
  return real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots, child_slots_can_overflow, parent_type_index);
}
