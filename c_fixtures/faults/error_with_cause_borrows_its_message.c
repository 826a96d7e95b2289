// story: An error that is made with a cause refers to the message that it was made of.
// breaks: ERR-0003 fail
#include "fault.h"

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause_chain,
                                              TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause_chain, extra_context, out);
  if (code == 0 && message->size > 0) ((TVMFFIErrorCell*)((TVMFFIObject*)*out + 1))->message = *message;
  return code;
}
