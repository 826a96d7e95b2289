// story: The table of types is given up when the process begins to end.
// breaks: TYP-0046 fail
#include "fault.h"

static int gone;

static void give_up(void) { gone = 1; }

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow, int32_t parent_type_index) {
  static int registered;
  if (!__atomic_exchange_n(&registered, 1, __ATOMIC_RELAXED)) atexit(give_up);
  return real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) { return gone ? NULL : real.TVMFFIGetTypeInfo(type_index); }
