// story: An Error that has one object both as its cause and as its extra context releases it once, though it took two references.
// breaks: ERR-0025 fail
#include "fault.h"
int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause_chain,
                                              TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause_chain, extra_context, out);
  if (code == 0 && cause_chain && cause_chain == extra_context) real.TVMFFIObjectIncRef(cause_chain);
  return code;
}
