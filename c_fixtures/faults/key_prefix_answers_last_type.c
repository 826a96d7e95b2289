// story: TVMFFITypeKeyToIndex compares a key with the one that the thread has looked up last over its own length alone, so a prefix of that has the same type.
// breaks: TYP-0010 fail
#include "fault.h"

static _Thread_local struct { char key[128]; size_t size; int32_t index; } last;

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  if (type_key->size > 0 && type_key->size <= last.size && memcmp(last.key, type_key->data, type_key->size) == 0) {
    *out_tindex = last.index;
    return 0;
  }
  int code = real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  if (code == 0 && type_key->size <= sizeof(last.key)) {
    memcpy(last.key, type_key->data, type_key->size);
    last.size = type_key->size;
    last.index = *out_tindex;
  }
  return code;
}
