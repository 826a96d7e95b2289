// story: Appending to a backtrace replaces it.
// breaks: ERR-0008 fail
#include "updated_backtrace.h"

static void replace(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode) {
  (void)mode;
  update(self, backtrace, kTVMFFIBacktraceUpdateModeReplace);
}

UPDATED_BACKTRACES(replace)
