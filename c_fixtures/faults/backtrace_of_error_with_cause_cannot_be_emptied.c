// story: An Error that was made with a cause keeps its backtrace when it is to be replaced by an empty one.
// breaks: ERR-0007 fail
#include "raised_error.h"

/* The same for all errors, so it is no matter which thread writes it. */
static void (*update)(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode);

static void update_unless_empty(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode) {
  if (backtrace->size > 0) __atomic_load_n(&update, __ATOMIC_ACQUIRE)(self, backtrace, mode);
}

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause,
                                              TVMFFIObjectHandle context, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause, context, out);
  if (code != 0 || !cause) return code;
  __atomic_store_n(&update, error_cell(*out)->update_backtrace, __ATOMIC_RELEASE);
  error_cell(*out)->update_backtrace = update_unless_empty;
  return 0;
}
