// story: The deleter of an opaque object runs when the object is made, as well as at its end.
// breaks: OBJ-0025 fail
#include "fault.h"

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
  if (code == 0 && deleter && handle) deleter(handle);
  return code;
}
