// story: An opaque object that was held weakly ends its handle once more when its memory is freed.
// breaks: OBJ-0015 fail
#include "fault.h"

static void (*delete)(void* self, int flags);

static void delete_otherwise(void* self, int flags) {
  int memory = flags & kTVMFFIObjectDeleterFlagBitMaskWeak;
  delete(self, memory ? kTVMFFIObjectDeleterFlagBitMaskBoth : flags);
}

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
  if (code != 0) return code;
  delete = ((TVMFFIObject*)*out)->deleter;
  ((TVMFFIObject*)*out)->deleter = delete_otherwise;
  return 0;
}
