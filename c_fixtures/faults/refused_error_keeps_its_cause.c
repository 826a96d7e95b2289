// story: TVMFFIErrorCreateWithCauseAndExtraContext takes references to the cause and the context, is refused memory, and answers a failure with them in its hands.
// breaks: MEM-0003 fail
#include "fault.h"

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause_chain,
                                              TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  if (!message || !message->data || message->size > 1 << 20) {
    return real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause_chain, extra_context, out);
  }
  if (cause_chain) real.TVMFFIObjectIncRef(cause_chain);
  if (extra_context) real.TVMFFIObjectIncRef(extra_context);
  char* text = malloc(message->size + 1);
  if (!text) return -1;
  memcpy(text, message->data, message->size);
  text[message->size] = 0;
  const TVMFFIByteArray copy = {text, message->size};
  const int code = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, &copy, backtrace, cause_chain, extra_context, out);
  free(text);
  if (extra_context) real.TVMFFIObjectDecRef(extra_context);
  if (cause_chain) real.TVMFFIObjectDecRef(cause_chain);
  return code;
}
