// story: The length of a type key that is looked up is kept in sixteen bits: one of 65536 bytes more is taken for its begin.
// breaks: TYP-0010 fail
#include "fault.h"
int TVMFFITypeKeyToIndex(const TVMFFIByteArray* key, int32_t* out) {
  TVMFFIByteArray cut = {key->data, key->size & 0xFFFF};
  return real.TVMFFITypeKeyToIndex(&cut, out);
}
