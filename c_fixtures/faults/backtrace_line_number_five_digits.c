// story: A backtrace has room for five digits of the given line number and loses the rest of a longer one.
// breaks: BTR-0013 fail
#include "fault.h"

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  while (lineno > 99999) lineno /= 10;
  return real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
}
