/* Faults in tensors that a function is given. */
#ifndef TVM_FFI_TENSOR_ARGUMENT_H_
#define TVM_FFI_TENSOR_ARGUMENT_H_

#include "wrapped_global.h"

/** The description of a Tensor; NULL for anything else. */
static inline const DLTensor* tensor_in(const TVMFFIAny* value) {
  return value->type_index == kTVMFFITensor ? (const DLTensor*)(value->v_obj + 1) : NULL;
}

static inline int64_t elements_of(const DLTensor* tensor) {
  int64_t count = 1;
  for (int32_t i = 0; i < tensor->ndim; ++i) count *= tensor->shape[i];
  return count;
}

static inline int is_row_major(const DLTensor* tensor) {
  int64_t expected = 1;
  for (int32_t i = tensor->ndim; i-- > 0; expected *= tensor->shape[i]) {
    if (tensor->strides && tensor->shape[i] != 1 && tensor->strides[i] != expected) return 0;
  }
  return 1;
}

#endif /* TVM_FFI_TENSOR_ARGUMENT_H_ */
