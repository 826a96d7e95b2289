/*
 * Faults in functions that clients register: `WRAPPED_REGISTRATION(NAME, CALLEE)` registers a function with the callee
 * in the place of what a client registers under the name. The callee's first argument is the client's function.
 */
#ifndef TVM_FFI_WRAPPED_REGISTRATION_H_
#define TVM_FFI_WRAPPED_REGISTRATION_H_

#include "wrapped_global.h"

#define WRAPPED_REGISTRATION(NAME, CALLEE)                                                                     \
  int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int allow_override) {         \
    TVMFFIObjectHandle wrapper = NULL;                                                                         \
    if (f == NULL || !is(name, NAME)) return real.TVMFFIFunctionSetGlobal(name, f, allow_override);            \
    real.TVMFFIObjectIncRef(f);                                                                                \
    int code = real.TVMFFIFunctionCreate(f, CALLEE, end_wrapped, &wrapper);                                    \
    if (code == 0) code = real.TVMFFIFunctionSetGlobal(name, wrapper, allow_override);                         \
    if (wrapper) real.TVMFFIObjectDecRef(wrapper);                                                             \
    return code;                                                                                               \
  }

static inline void end_wrapped(void* function) { real.TVMFFIObjectDecRef(function); }

#endif /* TVM_FFI_WRAPPED_REGISTRATION_H_ */
