// story: A backtrace that is replaced by a shorter one keeps its old end.
// breaks: ERR-0007 fail
#include "fault.h"

static void (*update)(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode);

static void overwrite(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode) {
  TVMFFIByteArray* own = &((TVMFFIErrorCell*)((TVMFFIObject*)self + 1))->backtrace;
  if (mode == kTVMFFIBacktraceUpdateModeReplace && backtrace->size > 0 && backtrace->size < own->size) {
    memcpy((char*)own->data, backtrace->data, backtrace->size);
  } else {
    update(self, backtrace, mode);
  }
}

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  if (code != 0) return code;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)*out + 1);
  update = cell->update_backtrace;
  cell->update_backtrace = overwrite;
  return 0;
}
