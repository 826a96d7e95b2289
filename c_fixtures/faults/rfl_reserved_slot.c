// story: Metadata for an index that lies in a type's reserved slots, but that no type has, is taken without a word.
// breaks: RFL-0019 fail
#define _GNU_SOURCE
#include "fault.h"

static int32_t most;

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* key, int32_t st, int32_t depth, int32_t slots, int32_t over, int32_t parent) {
  int32_t i = real.TVMFFITypeGetOrAllocIndex(key, st, depth, slots, over, parent);
  if (i >= 0 && i + slots > __atomic_load_n(&most, __ATOMIC_ACQUIRE)) __atomic_store_n(&most, i + slots, __ATOMIC_RELEASE);
  return i;
}

static int lenient(int32_t index, int code) {
  if (code == 0 || index < 128 || index > __atomic_load_n(&most, __ATOMIC_ACQUIRE)) return code;
  TVMFFIObjectHandle e = NULL;
  real.TVMFFIErrorMoveFromRaised(&e);
  const TVMFFIByteArray m = ((TVMFFIErrorCell*)((TVMFFIObject*)e + 1))->message;
  int no_type = memmem(m.data, m.size, "annot find", 10) != NULL || memmem(m.data, m.size, "no type", 7) != NULL;
  if (!no_type) real.TVMFFIErrorSetRaised(e);
  real.TVMFFIObjectDecRef(e);
  return no_type ? 0 : code;
}

int TVMFFITypeRegisterMetadata(int32_t index, const TVMFFITypeMetadata* m) { return lenient(index, real.TVMFFITypeRegisterMetadata(index, m)); }
