// story: A thread remembers the last type key that it did not find, and does not find it either after another thread has registered it.
// breaks: TYP-0037 fail

#include "fault.h"

static _Thread_local char missed[256];
static _Thread_local size_t missed_size;

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* key, int32_t* out) {
  if (!key || !out || !key->data || key->size == 0 || key->size > sizeof(missed)) {
    return real.TVMFFITypeKeyToIndex(key, out);
  }
  if (key->size == missed_size && memcmp(key->data, missed, missed_size) == 0) {
    return refuse("InternalError", "Cannot find type");
  }
  int code = real.TVMFFITypeKeyToIndex(key, out);
  if (code != 0) {
    memcpy(missed, key->data, key->size);
    missed_size = key->size;
  }
  return code;
}

int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* key, int32_t static_index, int32_t depth, int32_t slots,
                                  int32_t overflow, int32_t parent) {
  missed_size = 0; /* on this thread */
  return real.TVMFFITypeGetOrAllocIndex(key, static_index, depth, slots, overflow, parent);
}
