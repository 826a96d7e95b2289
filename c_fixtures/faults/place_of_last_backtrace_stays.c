// story: The thread's buffer for backtraces keeps the line of the given place when the next backtrace is taken without a place.
// breaks: BTR-0005 fail
#include "fault.h"

static __thread char place[1024], buffer[16384];
static __thread TVMFFIByteArray answer;

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  const TVMFFIByteArray* taken = real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
  if (filename && func) {
    int length = snprintf(place, sizeof(place), "  File \"%s\", line %d, in %s\n", filename, lineno, func);
    if (length >= (int)sizeof(place)) place[0] = 0;
    return taken;
  }
  const size_t kept = strlen(place);
  if (!taken || filename || func || kept == 0 || kept + taken->size >= sizeof(buffer)) return taken;
  memcpy(buffer, place, kept);
  memcpy(buffer + kept, taken->data, taken->size);
  buffer[kept + taken->size] = 0;
  answer = (TVMFFIByteArray){buffer, kept + taken->size};
  return &answer;
}
