/* Faults in values of many levels: how many containers of one element are around what lies innermost. */
#ifndef TVM_FFI_DEPTH_H_
#define TVM_FFI_DEPTH_H_

#include "wrapped_global.h"

static inline int depth_of(const TVMFFIAny* value) {
  int depth = 0;
  while ((value->type_index == kTVMFFIArray || value->type_index == kTVMFFIList) && depth < 1000) {
    const TVMFFISeqCell* cell = sequence_cell(value);
    if (cell->size != 1) break;
    value = cell->data;
    ++depth;
  }
  return depth;
}

#endif /* TVM_FFI_DEPTH_H_ */
