// story: All threads have their backtraces in one place.
// breaks: BTR-0004 fail
// chance: Threads write over what others read.
#include "fault.h"

static char text[1 << 16];
static TVMFFIByteArray one = {text, 0};

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  const TVMFFIByteArray* own = real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
  one.size = own->size < sizeof(text) ? own->size : sizeof(text);
  memcpy(text, own->data, one.size);
  return &one;
}
