// story: An opaque object with a handle of NULL ends without a call of its deleter.
// breaks: OBJ-0025 fail
#include "fault.h"

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  return real.TVMFFIObjectCreateOpaque(handle, type_index, handle ? deleter : NULL, out);
}
