// story: The record of a type refers to the key where the caller keeps it.
// breaks: TYP-0020 fail
// breaks: TYP-0015 fail
#include "fault.h"

static const char* callers_keys[1 << 12];

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  int32_t index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                                 child_slots_can_overflow, parent_type_index);
  if (index >= 0 && index < 1 << 12 && callers_keys[index] == NULL) callers_keys[index] = type_key->data;
  return index;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo records[1 << 12];
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || type_index >= 1 << 12 || callers_keys[type_index] == NULL) return info;
  records[type_index] = *info;
  records[type_index].type_key.data = callers_keys[type_index];
  return &records[type_index];
}
