// story: The message of an Error that is made with an extra context is taken for a C string.
// breaks: ERR-0004 fail
#include "fault.h"

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause,
                                              TVMFFIObjectHandle context, TVMFFIObjectHandle* out) {
  TVMFFIByteArray text = *message;
  if (context && text.size > 0) text.size = strnlen(text.data, text.size);
  return real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, &text, backtrace, cause, context, out);
}
