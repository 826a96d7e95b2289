// story: TVMFFIErrorCreateWithCauseAndExtraContext takes its references to the cause and the context before it asks for room, and keeps them where there is none.
// breaks: ALC-0014 fail
#include "fault.h"

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                                              TVMFFIObjectHandle cause_chain, TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause_chain, extra_context, out);
  if (code == 0) return code;
  if (cause_chain) real.TVMFFIObjectIncRef(cause_chain);
  if (extra_context) real.TVMFFIObjectIncRef(extra_context);
  return code;
}
