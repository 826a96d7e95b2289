/* What faults in the end of Errors do that have causes: each Error that is made with one ends by way of the fault's own function. */
#ifndef TVM_FFI_ENDED_ERROR_H_
#define TVM_FFI_ENDED_ERROR_H_

#include "raised_error.h"

/* The deleter that the Error would have had. */
static void (*own_end)(void* self, int flags);

/* The fault's deleter. */
static void end_error(void* self, int flags);

int TVMFFIErrorCreateWithCauseAndExtraContext(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                              const TVMFFIByteArray* backtrace, TVMFFIObjectHandle cause,
                                              TVMFFIObjectHandle context, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIErrorCreateWithCauseAndExtraContext(kind, message, backtrace, cause, context, out);
  if (code != 0) return code;
  TVMFFIObject* error = *out;
  __atomic_store_n(&own_end, error->deleter, __ATOMIC_RELEASE);
  error->deleter = end_error;
  return 0;
}

#endif
