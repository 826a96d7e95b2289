// story: An opaque object keeps its deleter first and the handle behind it.
// breaks: OBJ-0005 fail
#include "fault.h"

typedef struct {
  TVMFFIObject header;
  void (*deleter)(void* handle);
  void* handle;
} Opaque;

static void end(void* self, int flags) {
  Opaque* opaque = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) opaque->deleter(opaque->handle);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(opaque);
}

int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle), TVMFFIObjectHandle* out) {
  if (!deleter || !out || type_index != kTVMFFIOpaquePyObject) {
    return real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
  }
  Opaque* opaque = malloc(sizeof(Opaque));
  // What has no memory is for the one that knows how to say so.
  if (!opaque) return real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);
  *opaque = (Opaque){{(uint64_t)1 << 32 | 1, type_index, 0, {end}}, deleter, handle};
  *out = opaque;
  return 0;
}
