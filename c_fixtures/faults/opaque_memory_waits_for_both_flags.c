// story: The memory of an opaque object is freed when its deleter is called with both flags, and never otherwise.
// breaks: OBJ-0016 leak
#include "fault.h"

static void (*delete)(void* self, int flags);

static void delete_otherwise(void* self, int flags) {
  if (flags == kTVMFFIObjectDeleterFlagBitMaskWeak) return;
  delete(self, flags);
}

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
  if (code != 0) return code;
  delete = ((TVMFFIObject*)*out)->deleter;
  ((TVMFFIObject*)*out)->deleter = delete_otherwise;
  return 0;
}
