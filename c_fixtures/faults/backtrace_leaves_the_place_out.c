// story: A backtrace across the FFI boundary leaves out the place that it was given.
// breaks: BTR-0002 fail
#include "fault.h"

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  return real.TVMFFIBacktrace(cross_ffi_boundary ? NULL : filename, lineno, cross_ffi_boundary ? NULL : func,
                              cross_ffi_boundary);
}
