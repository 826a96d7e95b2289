/*
 * Faults in which the context of a failed walk takes the place of the one that the error had, which is dropped.
 */
#ifndef TVM_FFI_LOST_CONTEXT_H_
#define TVM_FFI_LOST_CONTEXT_H_

#include "raised_error.h"

/** Drops what the context of the raised error, if that is one of a walk, has for the context before it. */
static inline void lose_former_context(void) {
  const TVMFFIByteArray key = {"ffi.VisitErrorContext", 21};
  TVMFFIObjectHandle error = NULL;
  int32_t type_index = -1;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return;
  TVMFFIObject* context = error_cell(error)->extra_context;
  if (real.TVMFFITypeKeyToIndex(&key, &type_index) == 0 && context && context->type_index == type_index) {
    TVMFFIObjectHandle* before = (TVMFFIObjectHandle*)(context + 1) + 1;
    if (*before) real.TVMFFIObjectDecRef(*before);
    *before = NULL;
  }
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
}

#endif /* TVM_FFI_LOST_CONTEXT_H_ */
