// story: An opaque object that is held weakly ends its handle only when its memory is freed.
// breaks: OBJ-0014 fail
#include "fault.h"

static void (*delete)(void* self, int flags);

static void delete_otherwise(void* self, int flags) {
  if (flags == kTVMFFIObjectDeleterFlagBitMaskStrong) return;
  delete(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
  if (code != 0) return code;
  delete = ((TVMFFIObject*)*out)->deleter;
  ((TVMFFIObject*)*out)->deleter = delete_otherwise;
  return 0;
}
