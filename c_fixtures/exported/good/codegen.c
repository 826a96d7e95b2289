// story: a function as compilers generate it: every look is an assertion with words of its own, and strides are not supported
#include "kernel.h"

static const char* const kName = "main";

#define ASSERT(condition, kind, message)                  \
  if (!(condition)) {                                     \
    TVMFFIErrorSetRaisedFromCStr(kind, "main: " message); \
    return -1;                                            \
  }

KERNEL(main) {
  (void)kName;
  ASSERT(num_args == 3, "TypeError", "expected 3 arguments");
  ASSERT(args != NULL, "TypeError", "args pointer is NULL");
  int32_t A_type_index = args[0].type_index;
  ASSERT(A_type_index == kTVMFFINone || A_type_index == kTVMFFIOpaquePtr || A_type_index == kTVMFFIDLTensorPtr ||
             A_type_index == kTVMFFITensor,
         "TypeError", "Expected Tensor for parameter A");
  int32_t B_type_index = args[1].type_index;
  ASSERT(B_type_index == kTVMFFINone || B_type_index == kTVMFFIOpaquePtr || B_type_index == kTVMFFIDLTensorPtr ||
             B_type_index == kTVMFFITensor,
         "TypeError", "Expected Tensor for parameter B");
  int32_t n_type_index = args[2].type_index;
  ASSERT(n_type_index == kTVMFFIInt || n_type_index == kTVMFFIBool, "TypeError", "Expected int for parameter n");
  void* A_handle = A_type_index == kTVMFFITensor ? (char*)args[0].v_ptr + sizeof(TVMFFIObject) : args[0].v_ptr;
  void* B_handle = B_type_index == kTVMFFITensor ? (char*)args[1].v_ptr + sizeof(TVMFFIObject) : args[1].v_ptr;
  int32_t n = (int32_t)args[2].v_int64;
  ASSERT(A_handle != NULL, "TypeError", "A is expected to have non-NULL DLTensor* pointer");
  ASSERT(B_handle != NULL, "TypeError", "B is expected to have non-NULL DLTensor* pointer");
  DLTensor* A = (DLTensor*)A_handle;
  DLTensor* B = (DLTensor*)B_handle;
  ASSERT(A->ndim == 2, "ValueError", "A.ndim is expected to equal 2");
  ASSERT(A->dtype.code == 2 && A->dtype.bits == 32 && A->dtype.lanes == 1, "ValueError", "A.dtype is expected to be float32");
  ASSERT((int32_t)A->shape[0] == n && A->shape[1] == 16, "ValueError", "Argument A.shape has an unsatisfied constraint");
  if (A->strides != NULL) {
    ASSERT(A->strides[1] == 1 && A->strides[0] == 16, "ValueError", "A.strides: expected to be compact array");
  }
  ASSERT(A->byte_offset == 0, "ValueError", "Argument A.byte_offset has an unsatisfied constraint: 0 == A.byte_offset");
  ASSERT(A->device.device_type == 1, "ValueError", "Argument A.device_type has an unsatisfied constraint: 1");
  ASSERT(n == 0 || A->data != NULL, "ValueError", "A is expected to have non-NULL data pointer");
  ASSERT(B->ndim == 2, "ValueError", "B.ndim is expected to equal 2");
  ASSERT(B->dtype.code == 2 && B->dtype.bits == 32 && B->dtype.lanes == 1, "ValueError", "B.dtype is expected to be float32");
  ASSERT((int32_t)B->shape[0] == n && B->shape[1] == 16, "ValueError", "Argument B.shape has an unsatisfied constraint");
  if (B->strides != NULL) {
    ASSERT(B->strides[1] == 1 && B->strides[0] == 16, "ValueError", "B.strides: expected to be compact array");
  }
  ASSERT(B->byte_offset == 0, "ValueError", "Argument B.byte_offset has an unsatisfied constraint: 0 == B.byte_offset");
  ASSERT(B->device.device_type == 1, "ValueError", "Argument B.device_type has an unsatisfied constraint: 1");
  ASSERT(n == 0 || B->data != NULL, "ValueError", "B is expected to have non-NULL data pointer");
  for (int32_t i = 0; i < n; ++i) {
    for (int32_t j = 0; j < 16; ++j) {
      int32_t at = i * 16 + j;
      ((float*)B->data)[at] = ((float*)A->data)[at] * 2.0f;
    }
  }
  result->type_index = kTVMFFINone;
  result->zero_padding = 0;
  result->v_int64 = 0;
  return 0;
}
