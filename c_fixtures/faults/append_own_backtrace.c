// story: An Error whose backtrace is appended to itself makes room first, and then copies from where the old one was.
// breaks: ERR-0008 fail
#include "fault.h"

static void (*update)(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode);

static void update_backtrace(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode) {
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)self + 1);
  if (mode == kTVMFFIBacktraceUpdateModeAppend && backtrace->size > 0 && backtrace->data >= cell->backtrace.data &&
      backtrace->data < cell->backtrace.data + cell->backtrace.size) {
    char* stale = calloc(1, backtrace->size);
    TVMFFIByteArray given = {stale, backtrace->size};
    update(self, &given, mode);
    free(stale);
    return;
  }
  update(self, backtrace, mode);
}

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  if (code == 0) {
    TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)*out + 1);
    update = cell->update_backtrace;
    cell->update_backtrace = update_backtrace;
  }
  return code;
}
