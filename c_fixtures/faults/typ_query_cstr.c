// story: TVMFFITypeGetOrAllocIndex with -2 as parent takes the key for a text that ends at its first NUL.
// breaks: TYP-0010 fail
#include "fault.h"
int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* key, int32_t static_index, int32_t depth, int32_t slots, int32_t overflow, int32_t parent) {
  TVMFFIByteArray cut = *key;
  if (parent == -2) cut.size = strnlen(cut.data, cut.size);
  return real.TVMFFITypeGetOrAllocIndex(&cut, static_index, depth, slots, overflow, parent);
}
