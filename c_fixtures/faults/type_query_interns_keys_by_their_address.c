// story: A query of a type key takes a key at the address and of the length of the one before for the same key.
// breaks: TYP-0032 fail
// chance: Keys of other calls may come to lie at the place of the one before.
#include "fault.h"

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* key, int32_t index, int32_t depth, int32_t slots, int32_t overflow,
                                  int32_t parent) {
  static __thread const char* address;
  static __thread size_t length;
  static __thread char copy[128];
  if (parent != -2 || !key || key->size == 0 || key->size > sizeof(copy))
    return real.TVMFFITypeGetOrAllocIndex(key, index, depth, slots, overflow, parent);
  if (key->data != address || key->size != length) {
    address = key->data;
    length = key->size;
    memcpy(copy, key->data, key->size);
  }
  TVMFFIByteArray interned = {copy, length};
  return real.TVMFFITypeGetOrAllocIndex(&interned, index, depth, slots, overflow, parent);
}
