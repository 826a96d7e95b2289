// story: A query of the type table (parent -2) for a key that no type has raises an error inside and takes it back, and with it the one that was raised before.
// breaks: ERR-0022 fail
#include "fault.h"
int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* key, int32_t static_index, int32_t depth, int32_t slots, int32_t overflow, int32_t parent) {
  int32_t index = real.TVMFFITypeGetOrAllocIndex(key, static_index, depth, slots, overflow, parent);
  if (parent == -2 && index == -2) real.TVMFFIErrorSetRaised(NULL);
  return index;
}
