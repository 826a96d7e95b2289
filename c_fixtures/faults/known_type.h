/*
 * Faults that look at the record of a type that a client names, which may be none.
 */
#ifndef TVM_FFI_KNOWN_TYPE_H_
#define TVM_FFI_KNOWN_TYPE_H_

#include "wrapped_global.h"

/** Whether there is a type of that index: the reference ends the process when it is asked about another. */
static inline int is_known_type(int32_t index) {
  TVMFFIAny keys = {0};
  int found = 0;
  if (call_global("ffi.GetRegisteredTypeKeys", NULL, 0, &keys) != 0) return 0;
  const TVMFFISeqCell* cell = sequence_cell(&keys);
  for (int64_t i = 0; i < cell->size && !found; ++i) {
    TVMFFIByteArray key = text_of((const TVMFFIAny*)cell->data + i);
    int32_t other = -1;
    found = real.TVMFFITypeKeyToIndex(&key, &other) == 0 && other == index;
  }
  real.TVMFFIObjectDecRef(keys.v_obj);
  return found;
}

#endif /* TVM_FFI_KNOWN_TYPE_H_ */
