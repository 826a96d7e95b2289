// story: TVMFFIErrorCreate, as every other function, raises an error where memory has no room for the texts.
// breaks: OBJ-0033 fail
#include "fault.h"
int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);
  if (code != 0) real.TVMFFIErrorSetRaisedFromCStr("MemoryError", "no room for an Error");
  return code;
}
