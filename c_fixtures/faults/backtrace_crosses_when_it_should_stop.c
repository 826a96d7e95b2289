// story: A backtrace stops at the FFI boundary when it is to cross it, and crosses it when it is to stop.
// breaks: BTR-0009 fail
#include "fault.h"

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  return real.TVMFFIBacktrace(filename, lineno, func, !cross_ffi_boundary);
}
