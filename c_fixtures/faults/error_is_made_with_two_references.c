// story: A new error holds two strong references, one for whoever raises it.
// breaks: ERR-0002 fail
// breaks: OBJ-0001 fail
#include "fault.h"

int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                      TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  if (code == 0) real.TVMFFIObjectIncRef(*out);
  return code;
}
