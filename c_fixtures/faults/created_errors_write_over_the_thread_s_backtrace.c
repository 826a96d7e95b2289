// story: TVMFFIErrorCreate brings the backtrace that it is given into the thread's own buffer first, where the answer of the last TVMFFIBacktrace still lies.
// breaks: BTR-0004 fail
#include "fault.h"

static __thread char text[2048];
static __thread TVMFFIByteArray answer;

static int keep(const TVMFFIByteArray* bytes) {
  if (bytes->size >= sizeof(text)) return 0;
  memmove(text, bytes->data, bytes->size);
  text[bytes->size] = 0;
  answer = (TVMFFIByteArray){text, bytes->size};
  return 1;
}

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  const TVMFFIByteArray* own = real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
  return keep(own) ? &answer : own;
}

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  if (backtrace && backtrace->size > 0 && backtrace->data && keep(backtrace)) {
    return real.TVMFFIErrorCreate(kind, message, &answer, out);
  }
  return real.TVMFFIErrorCreate(kind, message, backtrace, out);
}
