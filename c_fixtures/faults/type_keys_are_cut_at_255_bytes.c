// story: The length of a type key is kept in one byte, so keys that are longer than 255 bytes and begin alike are the same type.
// breaks: TYP-0011 fail
#include "fault.h"
static TVMFFIByteArray cut(const TVMFFIByteArray* key) { return (TVMFFIByteArray){key->data, key->size > 255 ? 255 : key->size}; }
int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* type_key, int32_t static_type_index, int32_t type_depth, int32_t num_child_slots,
                                  int32_t child_slots_can_overflow, int32_t parent_type_index) {
  const TVMFFIByteArray key = cut(type_key);
  return real.TVMFFITypeGetOrAllocIndex(&key, static_type_index, type_depth, num_child_slots, child_slots_can_overflow, parent_type_index);
}
int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  if (!type_key) return real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  const TVMFFIByteArray key = cut(type_key);
  return real.TVMFFITypeKeyToIndex(&key, out_tindex);
}
