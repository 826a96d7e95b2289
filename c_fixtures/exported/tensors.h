/* What kernels here have in common that are no variation of add_one: how they refuse, and the tensors that they take. */
#ifndef TVM_FFI_FIXTURES_TENSORS_H_
#define TVM_FFI_FIXTURES_TENSORS_H_

#include "kernel.h"

static inline int refuse(const char* message) {
  TVMFFIErrorSetRaisedFromCStr("TypeError", message);
  return -1;
}

/* The tensor that a value holds or points to; NULL if there is none. */
static inline DLTensor* tensor_in(const TVMFFIAny* value) {
  if (value->type_index == kTVMFFITensor) return (DLTensor*)((char*)value->v_obj + sizeof(TVMFFIObject));
  return value->type_index == kTVMFFIDLTensorPtr ? value->v_ptr : NULL;
}

static inline int64_t count_of(const DLTensor* tensor) {
  int64_t count = 1;
  for (int32_t i = 0; i < tensor->ndim; ++i) count *= tensor->shape[i];
  return count;
}

static inline int is_of(const DLTensor* tensor, uint8_t code, uint8_t bits) {
  return tensor->dtype.code == code && tensor->dtype.bits == bits && tensor->dtype.lanes == 1;
}

/* Whether the elements lie on the host, one behind the other from the tensor's data on. */
static inline int is_compact(const DLTensor* tensor) {
  int64_t step = 1;
  if (tensor->device.device_type != kDLCPU || tensor->byte_offset != 0) return 0;
  for (int32_t i = tensor->ndim; tensor->strides != NULL && i-- > 0;) {
    if (tensor->strides[i] != step) return 0;
    step *= tensor->shape[i];
  }
  return 1;
}

/* The tensor of floats that a value holds or points to, if its elements lie like that; else NULL. */
static inline DLTensor* floats_in(const TVMFFIAny* value) {
  DLTensor* tensor = tensor_in(value);
  return tensor != NULL && is_of(tensor, kDLFloat, 32) && is_compact(tensor) ? tensor : NULL;
}

/* Metadata of a function that takes one value of that type, and returns another. */
#define METADATA(NAME, RESULT, PARAM)                                                                                  \
  SAFE_CALL(__tvm_ffi__metadata_##NAME) {                                                                              \
    return return_text("{\"type_schema\":\"{\\\"type\\\":\\\"ffi.Function\\\",\\\"args\\\":[{\\\"type\\\":\\\"" RESULT \
                       "\\\"}," PARAM "]}\"}",                                                                         \
                       result);                                                                                        \
  }
#define TYPE(NAME) "{\\\"type\\\":\\\"" NAME "\\\"}"

#endif
