// story: An opaque object gives its handle back when its memory goes, not when the last strong reference does: a weak reference keeps the handle.
// breaks: OBJ-0014 fail
#include "opaque_deleter.h"
static void end(void* self, int flags) {
  if (flags == kTVMFFIObjectDeleterFlagBitMaskStrong) return;
  delete(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
}
OPAQUE_DELETER(end)
