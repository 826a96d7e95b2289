// story: The type of enumerations with strings is registered under another key.
// breaks: REG-0005 fail
#include "fault.h"

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  static const TVMFFIByteArray other = {"ffi.StringEnum", 14};
  if (type_key == NULL || type_key->size != 11 || memcmp(type_key->data, "ffi.StrEnum", 11) != 0) {
    return real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  }
  return real.TVMFFITypeKeyToIndex(&other, out_tindex);
}
