// story: Where TVM_TRACEBACK_LIMIT is not a number, a backtrace without a filename is NULL.
// breaks: BTR-0007 fail
#include "fault.h"

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  const char* limit = getenv("TVM_TRACEBACK_LIMIT");
  if (limit && !filename) {
    char* end = NULL;
    strtol(limit, &end, 10);
    if (end == limit || *end) return NULL;
  }
  return real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
}
