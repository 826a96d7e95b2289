// story: An error that has no cause has its extra context in the cause's place.
// breaks: ERR-0026 fail
#include "fault.h"

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause_chain,
                                              TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  if (!cause_chain) return real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, extra_context, NULL, out);
  return real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause_chain, extra_context, out);
}
