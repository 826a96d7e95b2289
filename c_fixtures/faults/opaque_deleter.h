/*
 * Faults in how opaque objects end: `OPAQUE_DELETER(function)` gives each new one this deleter, which finds the
 * library's own in `delete`.
 */
#ifndef TVM_FFI_OPAQUE_DELETER_H_
#define TVM_FFI_OPAQUE_DELETER_H_

#include "fault.h"

/* The same for all opaque objects, so it is no matter which thread writes it. */
static void (*delete)(void* self, int flags);

#define OPAQUE_DELETER(FUNCTION)                                                                            \
  int TVMFFIObjectCreateOpaque(void* handle, int32_t type_index, void (*deleter)(void* handle),             \
                               TVMFFIObjectHandle* out) {                                                   \
    int code = real.TVMFFIObjectCreateOpaque(handle, type_index, deleter, out);                             \
    if (code != 0) return code;                                                                             \
    __atomic_store_n(&delete, ((TVMFFIObject*)*out)->deleter, __ATOMIC_RELEASE);                            \
    ((TVMFFIObject*)*out)->deleter = FUNCTION;                                                              \
    return 0;                                                                                               \
  }

#endif /* TVM_FFI_OPAQUE_DELETER_H_ */
