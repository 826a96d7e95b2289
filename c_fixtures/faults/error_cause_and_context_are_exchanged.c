// story: Cause and extra context of an error stand in each other's place.
// breaks: ERR-0024 fail
#include "fault.h"

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause_chain,
                                              TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  return real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, extra_context, cause_chain, out);
}
