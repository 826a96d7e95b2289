// story: Taking a backtrace takes the raised error away, since most who take one are about to raise another.
// breaks: ERR-0022 fail
#include "fault.h"

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  real.TVMFFIErrorSetRaised(NULL);
  return real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
}
