// story: The deleter of an opaque object is not called if the handle is NULL.
// breaks: OBJ-0025 fail
#include "fault.h"
int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  return real.TVMFFIObjectCreateOpaque(handle, type_index, handle ? deleter : NULL, out);
}
