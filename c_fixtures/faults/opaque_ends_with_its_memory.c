// story: An opaque object that is held weakly ends its handle only when its memory is freed.
// breaks: OBJ-0014 fail
#include "opaque_deleter.h"

static void delete_otherwise(void* self, int flags) {
  if (flags == kTVMFFIObjectDeleterFlagBitMaskStrong) return;
  delete(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

OPAQUE_DELETER(delete_otherwise)
