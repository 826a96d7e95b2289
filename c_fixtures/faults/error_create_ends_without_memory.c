// story: Where there is no room for an error's texts, TVMFFIErrorCreate ends the process.
// breaks: OBJ-0033 crash
#include "fault.h"

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  if (code != 0) abort();
  return code;
}
