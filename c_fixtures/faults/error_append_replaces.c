// story: Appending to a backtrace replaces it.
// breaks: ERR-0008 fail
#include "fault.h"

static void (*update)(TVMFFIObjectHandle, const TVMFFIByteArray*, int32_t);

static void replace(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode) {
  (void)mode;
  update(self, backtrace, kTVMFFIBacktraceUpdateModeReplace);
}

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                      const TVMFFIByteArray* backtrace, TVMFFIObjectHandle* out) {
  int status = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  if (status == 0) {
    TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((char*)*out + sizeof(TVMFFIObject));
    update = cell->update_backtrace;
    cell->update_backtrace = replace;
  }
  return status;
}
