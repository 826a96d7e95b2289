// story: A backtrace of a file and a line without a function names the function of the thread's backtrace before.
// breaks: BTR-0005 fail
#include "fault.h"

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  static __thread char last[256];
  if (func) {
    snprintf(last, sizeof(last), "%s", func);
  } else if (filename && last[0]) {
    func = last;
  }
  return real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
}
