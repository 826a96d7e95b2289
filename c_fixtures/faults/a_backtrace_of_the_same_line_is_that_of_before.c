// story: TVMFFIBacktrace keeps the last text of each thread and answers it again for the same file and line, whatever function is named.
// breaks: BTR-0002 fail
#include "fault.h"

static __thread struct { const char* filename; int lineno, cross; TVMFFIByteArray text; char bytes[1 << 16]; } last;

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  if (filename && last.filename == filename && last.lineno == lineno && last.cross == cross_ffi_boundary) return &last.text;
  const TVMFFIByteArray* text = real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
  last.filename = NULL;
  if (!filename || !func || !text || text->size >= sizeof(last.bytes)) return text;
  memcpy(last.bytes, text->data, text->size);
  last.bytes[text->size] = 0;
  last.text = (TVMFFIByteArray){last.bytes, text->size};
  last.filename = filename;
  last.lineno = lineno;
  last.cross = cross_ffi_boundary;
  return &last.text;
}
