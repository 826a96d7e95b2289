// story: The deleter of an opaque object is not called when its handle is NULL.
// breaks: OBJ-0025 fail
#include "fault.h"
int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void*), TVMFFIObjectHandle* out) {
  return real.TVMFFIObjectCreateOpaque(handle, type_index, handle ? deleter : NULL, out);
}
