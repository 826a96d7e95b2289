// story: An Error that is made with one object for both its cause and its extra context takes one reference, and gives up two.
// breaks: ERR-0025 fail
#include "fault.h"
int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                                              TVMFFIObjectHandle cause_chain, TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause_chain, extra_context, out);
  if (code == 0 && cause_chain && cause_chain == extra_context) real.TVMFFIObjectDecRef(extra_context);
  return code;
}
