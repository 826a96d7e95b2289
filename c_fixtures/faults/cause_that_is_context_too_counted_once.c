// story: An object that is both the cause and the extra context of an error is taken one reference to, and two are given up.
// breaks: ERR-0025 fail
// chance: Freed memory is used.
#include "fault.h"

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause_chain,
                                              TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause_chain, extra_context, out);
  if (code == 0 && cause_chain && cause_chain == extra_context) real.TVMFFIObjectDecRef(cause_chain);
  return code;
}
