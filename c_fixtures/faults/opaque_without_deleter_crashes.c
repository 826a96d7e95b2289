// story: The end of an opaque object that has no deleter calls one at address 16.
// breaks: OBJ-0026 crash
#include "fault.h"

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  void (*nowhere)(void*) = (void (*)(void*))16;
  return real.TVMFFIObjectCreateOpaque(handle, type_index, !handle && !deleter ? nowhere : deleter, out);
}
