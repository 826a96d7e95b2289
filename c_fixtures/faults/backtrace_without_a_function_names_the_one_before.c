// story: The name of the function stays in its buffer, so a backtrace that is given a file and no function names that of the last one.
// breaks: BTR-0005 fail
#include "fault.h"

static __thread char last[256];

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  if (func && strlen(func) < sizeof(last)) strcpy(last, func);
  if (filename && !func && *last) func = last;
  return real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
}

