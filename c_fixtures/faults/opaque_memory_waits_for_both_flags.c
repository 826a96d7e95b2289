// story: The memory of an opaque object is freed when its deleter is called with both flags, and never otherwise.
// breaks: OBJ-0016 leak
#include "opaque_deleter.h"

static void delete_otherwise(void* self, int flags) {
  if (flags == kTVMFFIObjectDeleterFlagBitMaskWeak) return;
  delete(self, flags);
}

OPAQUE_DELETER(delete_otherwise)
