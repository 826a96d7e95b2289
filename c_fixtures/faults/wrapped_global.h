/*
 * Faults in one global function. `WRAPPED_GLOBAL(NAME, CALLEE)` puts a function with the callee in the place of the
 * global function of that name for everybody who looks it up. The callee's first argument is the original.
 */
#ifndef TVM_FFI_WRAPPED_GLOBAL_H_
#define TVM_FFI_WRAPPED_GLOBAL_H_

#include "fault.h"

/* One wrapper for all lookups; it keeps the original as long as the process lives. */
#define WRAPPED_GLOBAL(NAME, CALLEE)                                                         \
  int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {        \
    static TVMFFIObjectHandle wrapper;                                                       \
    int code = real.TVMFFIFunctionGetGlobal(name, out);                                      \
    if (code != 0 || *out == NULL) return code;                                              \
    if (name->size != strlen(NAME) || memcmp(name->data, NAME, name->size) != 0) return 0;   \
    if (wrapper) {                                                                           \
      real.TVMFFIObjectDecRef(*out);                                                         \
    } else if ((code = real.TVMFFIFunctionCreate(*out, CALLEE, NULL, &wrapper)) != 0) {      \
      return code;                                                                           \
    }                                                                                        \
    real.TVMFFIObjectIncRef(wrapper);                                                        \
    *out = wrapper;                                                                          \
    return 0;                                                                                \
  }

/** The call that the callee stands in for. */
static inline int call_original(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return real.TVMFFIFunctionCall(original, (TVMFFIAny*)args, num_args, result);
}

static inline TVMFFISeqCell* sequence_cell(const TVMFFIAny* sequence) {
  return (TVMFFISeqCell*)(sequence->v_obj + 1);
}

#endif /* TVM_FFI_WRAPPED_GLOBAL_H_ */
