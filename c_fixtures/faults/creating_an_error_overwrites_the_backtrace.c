// story: An Error that is created without a backtrace has one taken for nothing, in the buffer of the thread's latest backtrace, which is overwritten.
// breaks: BTR-0004 fail
#include "fault.h"
int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace, TVMFFIObjectHandle* out) {
  if (backtrace && backtrace->size == 0) real.TVMFFIBacktrace(NULL, 0, NULL, 0);
  return real.TVMFFIErrorCreate(kind, message, backtrace, out);
}
