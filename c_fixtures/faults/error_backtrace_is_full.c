// story: A backtrace of 64 KiB is not extended any more.
// breaks: ERR-0009 fail
#include "updated_backtrace.h"

static void update_up_to_a_limit(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode) {
  TVMFFIErrorCell* cell = error_cell(self);
  if (mode == kTVMFFIBacktraceUpdateModeAppend && cell->backtrace.size + backtrace->size > 65536) return;
  update(self, backtrace, mode);
}

UPDATED_BACKTRACES(update_up_to_a_limit)
