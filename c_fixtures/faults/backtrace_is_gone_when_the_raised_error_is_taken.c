// story: Taking the raised error resets all that the thread has of errors, what its latest backtrace is answered with included.
// breaks: BTR-0004 fail
#include "fault.h"

static __thread TVMFFIByteArray latest;

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  latest = *real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
  return &latest;
}

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  real.TVMFFIErrorMoveFromRaised(result);
  latest.size = 0;
}
