// story: A key that differs in its last byte only from the one before it is taken for that one.
// breaks: TYP-0019 fail
#include "fault.h"

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth,
                                  int32_t num_child_slots, int32_t child_slots_can_overflow,
                                  int32_t parent_type_index) {
  static _Thread_local char last_key[256];
  static _Thread_local size_t last_size;
  static _Thread_local int32_t last_index;
  if (parent_type_index != -2 && type_key->size == last_size && memcmp(type_key->data, last_key, last_size - 1) == 0) {
    return last_index;
  }
  last_index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots,
                                              child_slots_can_overflow, parent_type_index);
  last_size = type_key->size > 1 && type_key->size <= sizeof(last_key) ? type_key->size : 0;
  memcpy(last_key, type_key->data, last_size);
  return last_index;
}
