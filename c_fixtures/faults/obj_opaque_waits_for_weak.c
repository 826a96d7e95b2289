// story: An opaque object calls its deleter when its memory goes: while a weak reference is held that is later than the last strong one.
// breaks: OBJ-0014 fail

#include "fault.h"

static void (*end)(void* self, int flags);

static void end_with_memory(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) end(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void*), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
  if (code != 0) return code;
  TVMFFIObject* object = *out;
  __atomic_store_n(&end, object->deleter, __ATOMIC_RELEASE);
  object->deleter = end_with_memory;
  return 0;
}
