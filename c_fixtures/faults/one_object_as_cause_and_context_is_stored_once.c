// story: An Error whose cause and extra context are one object stores it as the cause alone, lest it be released twice.
// breaks: ERR-0025 fail
#include "fault.h"
int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message, const TVMFFIByteArray* backtrace,
                                              TVMFFIObjectHandle cause_chain, TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  if (cause_chain == extra_context) extra_context = NULL;
  return real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause_chain, extra_context, out);
}
