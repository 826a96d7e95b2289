// story: A backtrace that stops at the FFI boundary has a line more, which says so.
// breaks: BTR-0009 fail
#include "fault.h"

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  static _Thread_local TVMFFIByteArray longer;
  const TVMFFIByteArray* own = real.TVMFFIBacktrace(filename, lineno, func, 1);
  if (cross_ffi_boundary) return own;
  const char last[] = "  File \"tvm_ffi\", line 0, in <boundary>\n";
  longer.data = realloc((char*)longer.data, own->size + sizeof(last));
  memcpy((char*)longer.data, own->data, own->size);
  memcpy((char*)longer.data + own->size, last, sizeof(last));
  longer.size = own->size + sizeof(last) - 1;
  return &longer;
}
