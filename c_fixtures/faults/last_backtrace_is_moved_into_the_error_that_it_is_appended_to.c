// story: An update of an error's backtrace with the thread's latest backtrace moves that text: what TVMFFIBacktrace answered is empty behind it.
// breaks: BTR-0004 fail
#include "updated_backtrace.h"

static __thread TVMFFIByteArray latest;

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int line, const char* func, int cross) {
  latest = *real.TVMFFIBacktrace(filename, line, func, cross);
  return &latest;
}
static void move(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode) {
  const int moved = backtrace && backtrace->size && backtrace->data == latest.data && backtrace->size == latest.size;
  update(self, backtrace, mode);
  if (moved) latest = (TVMFFIByteArray){"", 0};
}
UPDATED_BACKTRACES(move)
