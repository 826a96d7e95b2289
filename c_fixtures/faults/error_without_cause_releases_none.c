// story: An Error that TVMFFIErrorCreate made without a cause does not release one that a client puts into it later, nor an extra context.
// breaks: ERR-0030 fail
#include "fault.h"

static void (*original)(void*, int);

static void end(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)self + 1);
    cell->cause_chain = cell->extra_context = NULL;
  }
  __atomic_load_n(&original, __ATOMIC_ACQUIRE)(self, flags);
}

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  if (code != 0) return code;
  TVMFFIObject* error = *out;
  __atomic_store_n(&original, error->deleter, __ATOMIC_RELEASE);
  error->deleter = end;
  return 0;
}
