// story: The limit of backtraces is read by a function that ends the process when it finds no number.
// breaks: BTR-0007 crash
#include "fault.h"

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  const char* limit = getenv("TVM_TRACEBACK_LIMIT");
  char* end = NULL;
  if (limit && (strtol(limit, &end, 10), end == limit)) abort();
  return real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
}
