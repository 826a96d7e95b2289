// story: The types that the Python package declares classes for are not found by their keys.
// breaks: REG-0001 fail
// breaks: REG-0002 fail
// breaks: REG-0003 fail
// breaks: REG-0006 fail
#include "fault.h"

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  static const char* const lost[] = {"ffi.reflection.AccessStep", "ffi.StructuralKey", "ffi.Enum", "ffi.StructuralMutator"};
  for (size_t i = 0; type_key && i < sizeof(lost) / sizeof(lost[0]); ++i) {
    if (type_key->size != strlen(lost[i]) || memcmp(type_key->data, lost[i], type_key->size) != 0) continue;
    real.TVMFFIErrorSetRaisedFromCStr("InternalError", "Cannot find type");
    return -1;
  }
  return real.TVMFFITypeKeyToIndex(type_key, out_tindex);
}
