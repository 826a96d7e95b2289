// story: TVMFFITypeKeyToIndex reads a key up to its first NUL, where the registration takes it whole.
// breaks: TYP-0010 fail
#include "fault.h"

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  if (!type_key || !type_key->data) return real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  TVMFFIByteArray key = {type_key->data, strnlen(type_key->data, type_key->size)};
  return real.TVMFFITypeKeyToIndex(&key, out_tindex);
}
