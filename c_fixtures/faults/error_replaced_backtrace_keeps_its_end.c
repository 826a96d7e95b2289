// story: A backtrace that is replaced by a shorter one keeps its old end.
// breaks: ERR-0007 fail
#include "updated_backtrace.h"

static void overwrite(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode) {
  TVMFFIByteArray* own = &error_cell(self)->backtrace;
  if (mode == kTVMFFIBacktraceUpdateModeReplace && backtrace->size > 0 && backtrace->size < own->size) {
    memcpy((char*)own->data, backtrace->data, backtrace->size);
  } else {
    update(self, backtrace, mode);
  }
}

UPDATED_BACKTRACES(overwrite)
