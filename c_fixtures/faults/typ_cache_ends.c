// story: TVMFFITypeKeyToIndex remembers keys of 24 bytes and more by their length and their first and last eight bytes, and mixes up those that differ in between.
// breaks: TYP-0010 fail
#include "fault.h"
static __thread struct { size_t size; uint64_t first, last; int32_t index; } cache[64];
int TVMFFITypeKeyToIndex(const TVMFFIByteArray* key, int32_t* out) {
  if (!key || !out || key->size < 24) return real.TVMFFITypeKeyToIndex(key, out);
  uint64_t first, last;
  memcpy(&first, key->data, 8);
  memcpy(&last, key->data + key->size - 8, 8);
  size_t at = (first * 31 + last * 17 + key->size) % 64;
  if (cache[at].size == key->size && cache[at].first == first && cache[at].last == last) {
    *out = cache[at].index;
    return 0;
  }
  int code = real.TVMFFITypeKeyToIndex(key, out);
  if (code == 0) {
    cache[at].size = key->size;
    cache[at].first = first;
    cache[at].last = last;
    cache[at].index = *out;
  }
  return code;
}
