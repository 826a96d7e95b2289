// story: TVMFFIErrorCreateWithCauseAndExtraContext takes a message that is NULL for an empty one where there is an extra context.
// breaks: ERR-0039 fail
#include "fault.h"

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause_chain,
                                              TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  const TVMFFIByteArray none = {"", 0};
  if (!message && extra_context) message = &none;
  return real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause_chain, extra_context, out);
}
