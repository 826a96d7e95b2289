// story: The deleter of an opaque object's handle is called when the object's memory is freed, which weak references put off.
// breaks: OBJ-0014 fail
#include "fault.h"

static void (*original)(void*, int);

static void end(void* self, int flags) {
  if (flags == kTVMFFIObjectDeleterFlagBitMaskStrong) return;
  __atomic_load_n(&original, __ATOMIC_ACQUIRE)(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
  if (code != 0) return code;
  TVMFFIObject* object = *out;
  __atomic_store_n(&original, object->deleter, __ATOMIC_RELEASE);
  object->deleter = end;
  return 0;
}
