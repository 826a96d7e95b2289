// story: The deleter of an Error gives the cause up when it ends object and memory at once, and forgets it when a weak reference is held.
// breaks: ERR-0025 fail
// breaks: OBJ-0014 fail
#include "raised_error.h"

static void (*own)(void* self, int flags);

static void end(void* self, int flags) {
  if (flags == 1) error_cell(self)->cause_chain = NULL;
  own(self, flags);
}

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause_chain,
                                              TVMFFIObjectHandle extra_context, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause_chain, extra_context, out);
  if (code != 0) return code;
  TVMFFIObject* error = *out;
  __atomic_store_n(&own, error->deleter, __ATOMIC_RELEASE);
  error->deleter = end;
  return 0;
}
