// story: The split generation from 2025-09-22 on: a backtrace in place of a traceback, and no function of the earlier state.
// breaks: SPL-0018 fail
// lacks: TVMFFITraceback
// lacks: TVMFFIErrorCreate
#include "fault.h"

TVM_FFI_DLL const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross);

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross) {
  return real.TVMFFITraceback(filename, lineno, func, cross);
}
