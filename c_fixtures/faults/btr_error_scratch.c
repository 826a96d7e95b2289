// story: TVMFFIErrorCreate copies its backtrace through the buffer in which the thread's latest TVMFFIBacktrace still lies.
// breaks: BTR-0012 leak
#include "fault.h"
static __thread char* text;
static __thread size_t room;
static __thread TVMFFIByteArray answer;
static void keep(const char* data, size_t size) {
  if (size + 1 > room) { text = realloc(text, room = size + 4096); }
  memmove(text, data, size);
  text[size] = 0;
}
const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross) {
  const TVMFFIByteArray* got = real.TVMFFIBacktrace(filename, lineno, func, cross);
  keep(got->data, got->size);
  answer = (TVMFFIByteArray){text, got->size};
  return &answer;
}
int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  if (code == 0 && text && backtrace->size < room) memmove(text, backtrace->data, backtrace->size);
  return code;
}
