// story: TVMFFIErrorCreateWithCauseAndExtraContext without a backtrace takes that of the cause, if there is one, and answers 0.
// breaks: ERR-0039 fail
#include "raised_error.h"

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause_chain,
                                              TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  if (!backtrace && cause_chain && ((TVMFFIObject*)cause_chain)->type_index == kTVMFFIError) {
    backtrace = &error_cell(cause_chain)->backtrace;
  }
  return real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause_chain, extra_context, out);
}
