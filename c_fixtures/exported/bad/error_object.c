// story: raises an Error of its own making, without what an Error has
// breaks: error-object
#include "kernel.h"

static struct {
  TVMFFIObject header;
  TVMFFIErrorCell cell;
} error;

static void keep(void* self, int flags) {
  (void)self;
  (void)flags;
}

KERNEL(raises) {
  error.header.combined_ref_count = ((uint64_t)1 << 32) + 1;
  error.header.type_index = kTVMFFIError;
  error.header.deleter = keep;
  error.cell.kind = (TVMFFIByteArray){"ValueError", 10};
  error.cell.message = (TVMFFIByteArray){(const char*)16, 10};
  TVMFFIErrorSetRaised((TVMFFIObjectHandle)&error);
  return -1;
}
