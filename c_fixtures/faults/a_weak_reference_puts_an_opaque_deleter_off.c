// story: The end of an opaque object is one step that waits for the last reference of either kind, so while a weak one is held the client's deleter is not called.
// breaks: OBJ-0014 fail
#include "opaque_deleter.h"
static void end(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) delete(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
}
OPAQUE_DELETER(end)
