// story: A backtrace of a function without a file names the file that the thread gave last.
// breaks: BTR-0005 fail

#include "fault.h"

static _Thread_local char last[512];

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  if (filename) {
    /* Callers give the same file again and again. */
    if (strlen(filename) < sizeof(last)) {
      strcpy(last, filename);
    }
  } else if (func && last[0]) {
    filename = last;
  }
  return real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
}
