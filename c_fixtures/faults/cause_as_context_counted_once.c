// story: An Error whose extra context is its cause, too, takes one reference for both, and releases two at its end.
// breaks: ERR-0025 fail
#include "fault.h"

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause_chain,
                                              TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause_chain, extra_context, out);
  if (code == 0 && cause_chain && cause_chain == extra_context) real.TVMFFIObjectDecRef(cause_chain);
  return code;
}
