// story: An Error whose cause and extra context are one and the same object takes only one reference to it and releases two.
// breaks: ERR-0025 fail
#include "fault.h"
int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                                              TVMFFIObjectHandle cause, TVMFFIObjectHandle context, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause, context, out);
  if (code == 0 && cause && cause == context) real.TVMFFIObjectDecRef(cause);
  return code;
}
