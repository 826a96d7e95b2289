// story: An opaque object without a deleter is refused.
// admitted: OBJ-0026 is a SHOULD (broken here).
#include "fault.h"

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  if (!deleter) return refuse("ValueError", "an opaque object needs a deleter");
  return real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
}
