// story: The line that TVMFFIBacktrace makes of a given file and function goes through a buffer of 1024 bytes and is cut there.
// breaks: BTR-0013 fail
#include "fault.h"

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int lineno, const char* func, int cross_ffi_boundary) {
  if (filename && func) {
    static __thread char file[1024], name[1024];
    if (strlen(filename) + strlen(func) + 40 > sizeof file) {
      size_t room = sizeof file - 40;
      snprintf(file, room, "%s", filename);
      snprintf(name, room - strlen(file) + 1, "%s", func);
      return real.TVMFFIBacktrace(file, lineno, name, cross_ffi_boundary);
    }
  }
  return real.TVMFFIBacktrace(filename, lineno, func, cross_ffi_boundary);
}
