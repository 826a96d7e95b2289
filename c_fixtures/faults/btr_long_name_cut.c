// story: TVMFFIBacktrace writes the line of the given file and function into 1024 bytes, and cuts off a longer one with its newline.
// breaks: BTR-0013 fail
#include "fault.h"
const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross) {
  static __thread char text[16384];
  static __thread TVMFFIByteArray answer;
  const TVMFFIByteArray* got = real.TVMFFIBacktrace(filename, lineno, func, cross);
  if (!filename || !func) return got;
  const char* end = memchr(got->data, '\n', got->size);
  size_t first = end ? (size_t)(end + 1 - got->data) : got->size;
  if (first < 1024) return got;
  size_t rest = got->size - first < 15000 ? got->size - first : 0;
  memcpy(text, got->data, 1023);
  memcpy(text + 1023, got->data + first, rest);
  text[1023 + rest] = 0;
  answer = (TVMFFIByteArray){text, 1023 + rest};
  return &answer;
}
