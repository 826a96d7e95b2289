/*
 * Faults in how the backtrace of an Error is updated: `UPDATED_BACKTRACES(function)` gives each new Error this
 * function, which finds the library's own in `update`.
 */
#ifndef TVM_FFI_UPDATED_BACKTRACE_H_
#define TVM_FFI_UPDATED_BACKTRACE_H_

#include "raised_error.h"

/* The same for all errors, so it is no matter which thread writes it. */
static void (*update)(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t mode);

#define UPDATED_BACKTRACES(FUNCTION)                                                                        \
  int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,                        \
                        const TVMFFIByteArray* backtrace, TVMFFIObjectHandle* out) {                        \
    int code = real.TVMFFIErrorCreate(kind, message, backtrace, out);                                       \
    if (code != 0) return code;                                                                             \
    __atomic_store_n(&update, error_cell(*out)->update_backtrace, __ATOMIC_RELEASE);                        \
    error_cell(*out)->update_backtrace = FUNCTION;                                                          \
    return 0;                                                                                               \
  }

#endif /* TVM_FFI_UPDATED_BACKTRACE_H_ */
