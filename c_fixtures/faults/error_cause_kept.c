// story: An error takes two references to its cause and releases one.
// breaks: ERR-0025 fail
// breaks: ERR-0025 leak
#include "fault.h"

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause,
                                              TVMFFIObjectHandle context, TVMFFIObjectHandle* out) {
  int status = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause, context, out);
  if (status == 0 && cause) real.TVMFFIObjectIncRef(cause);
  return status;
}
