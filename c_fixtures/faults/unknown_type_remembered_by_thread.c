// story: Each thread remembers the last keys that no type had: one that another thread registers then stays unknown to queries of this one.
// breaks: TYP-0037 fail
#include "fault.h"
int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth, int32_t num_child_slots,
                                  int32_t child_slots_can_overflow, int32_t parent_type_index) {
  static _Thread_local struct { size_t size; char key[96]; } unknown[8];
  static _Thread_local unsigned next;
  if (parent_type_index != -2) memset(unknown, 0, sizeof(unknown));
  int keeps = parent_type_index == -2 && type_key && type_key->size > 0 && type_key->size <= sizeof(unknown[0].key);
  for (int i = 0; keeps && i < 8; ++i) {
    if (unknown[i].size == type_key->size && memcmp(unknown[i].key, type_key->data, type_key->size) == 0) return -2;
  }
  int32_t index = real.TVMFFITypeGetOrAllocIndex(type_key, static_type_index, type_depth, num_child_slots, child_slots_can_overflow, parent_type_index);
  if (keeps && index == -2) {
    unsigned i = next++ % 8;
    unknown[i].size = type_key->size;
    memcpy(unknown[i].key, type_key->data, type_key->size);
  }
  return index;
}
