// story: A query for a type key that nobody has registered answers the static index that it names, if any.
// breaks: TYP-0032 fail
#include "fault.h"
int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* key, int32_t static_index, int32_t depth, int32_t slots,
                                  int32_t overflow, int32_t parent) {
  int32_t index = real.TVMFFITypeGetOrAllocIndex(key, static_index, depth, slots, overflow, parent);
  return parent == -2 && index == -2 && static_index >= 0 ? static_index : index;
}
