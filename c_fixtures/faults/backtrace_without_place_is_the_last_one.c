// story: Asked for a backtrace without file and function, the library answers again what it last wrote with a place, as the buffer is filled only where there is one.
// breaks: BTR-0005 fail
#include "fault.h"
static __thread char text[4096];
static __thread TVMFFIByteArray last;
const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross) {
  if (!filename && !func && last.data) return &last;
  const TVMFFIByteArray* answer = real.TVMFFIBacktrace(filename, lineno, func, cross);
  if ((filename || func) && answer && answer->size < sizeof(text)) {
    memcpy(text, answer->data, answer->size);
    text[answer->size] = 0;
    last = (TVMFFIByteArray){text, answer->size};
  }
  return answer;
}
