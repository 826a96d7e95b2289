// story: An opaque object that was held weakly ends its handle once more when its memory is freed.
// breaks: OBJ-0015 fail
#include "opaque_deleter.h"

static void delete_otherwise(void* self, int flags) {
  int memory = flags & kTVMFFIObjectDeleterFlagBitMaskWeak;
  delete(self, memory ? kTVMFFIObjectDeleterFlagBitMaskBoth : flags);
}

OPAQUE_DELETER(delete_otherwise)
