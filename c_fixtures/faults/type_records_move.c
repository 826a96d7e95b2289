// story: The records of types move to a larger array when the thousandth type is registered.
// breaks: TYP-0014 fail
#include "fault.h"

static int registered;

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  ++registered;
  return real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                        child_slots_can_overflow, parent_type_index);
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo larger[1 << 16];
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (registered < 1000 || type_index >= 1 << 16) return info;
  larger[type_index] = *info;
  return &larger[type_index];
}
