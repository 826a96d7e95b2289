// story: A filename without a function is shown all the same, and the function read through NULL.
// breaks: BTR-0003 crash
#include "fault.h"

const TVMFFIByteArray* TVMFFIBacktrace(const char* filename, int line, const char* function, int cross) {
  if (filename && *(const volatile char*)function == 0) function = "?";
  return real.TVMFFIBacktrace(filename, line, function, cross);
}
