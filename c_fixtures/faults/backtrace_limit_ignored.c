// story: TVM_TRACEBACK_LIMIT has no effect.
// breaks: BTR-0006 fail
#include "fault.h"

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int line, const char* function, int cross) {
  unsetenv("TVM_TRACEBACK_LIMIT");
  return real.TVMFFIBacktrace(filename, line, function, cross);
}
