// story: A backtrace of 64 KiB is not extended any more.
// breaks: ERR-0009 fail
#include "fault.h"

static void (*update)(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode);

static void update_up_to_a_limit(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode) {
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)self + 1);
  if (mode == kTVMFFIBacktraceUpdateModeAppend && cell->backtrace.size + backtrace->size > 65536) return;
  update(self, backtrace, mode);
}

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  if (code != 0) return code;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)*out + 1);
  update = cell->update_backtrace;
  cell->update_backtrace = update_up_to_a_limit;
  return 0;
}
