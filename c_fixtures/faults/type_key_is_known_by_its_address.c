// story: The index of a type key is remembered by the address and the length of its text: another key in the same buffer gets the index of the former.
// breaks: TYP-0010 fail
#include "fault.h"

static __thread struct {
  TVMFFIByteArray key;
  int32_t index;
} last;

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  if (type_key && out_tindex && last.key.data && type_key->data == last.key.data && type_key->size == last.key.size) {
    *out_tindex = last.index;
    return 0;
  }
  int code = real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  if (code == 0) {
    last.key = *type_key;
    last.index = *out_tindex;
  }
  return code;
}
