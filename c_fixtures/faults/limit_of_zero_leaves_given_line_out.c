// story: Where TVM_TRACEBACK_LIMIT is 0, a backtrace does not even have the line that the caller gives.
// breaks: BTR-0002 fail
#include "fault.h"

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  static const TVMFFIByteArray empty = {"", 0};
  const char* limit = getenv("TVM_TRACEBACK_LIMIT");
  if (limit && strcmp(limit, "0") == 0) return &empty;
  return real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
}
