// story: The texts of an error that is made with a cause pass through C strings, and end at their first NUL.
// breaks: ERR-0004 fail
#include "fault.h"

static TVMFFIByteArray cut(const TVMFFIByteArray* text) {
  TVMFFIByteArray short_text = {text->data, text->size ? strnlen(text->data, text->size) : 0};
  return short_text;
}

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause_chain,
                                              TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  TVMFFIByteArray texts[3] = {cut(kind), cut(message), cut(backtrace)};
  return real.TVMFFIErrorCreateWithCauseAndExtraContext(&texts[0], &texts[1], &texts[2], cause_chain, extra_context,
                                                        out);
}
