// story: a matrix of any strides, rows in any order, and a vector of any length, four elements at a time and the rest alone
#include "kernel.h"

static DLTensor* tensor_of(const TVMFFIAny* value, int32_t ndim) {
  DLTensor* tensor = NULL;
  if (value->type_index == kTVMFFIDLTensorPtr) tensor = value->v_ptr;
  if (value->type_index == kTVMFFITensor) tensor = (DLTensor*)((char*)value->v_obj + sizeof(TVMFFIObject));
  if (tensor == NULL || tensor->ndim != ndim || tensor->device.device_type != kDLCPU) return NULL;
  if (tensor->dtype.code != kDLFloat || tensor->dtype.bits != 32 || tensor->dtype.lanes != 1) return NULL;
  return tensor;
}

static int64_t stride_of(const DLTensor* tensor, int32_t dimension) {
  if (tensor->strides != NULL) return tensor->strides[dimension];
  return dimension + 1 == tensor->ndim ? 1 : tensor->shape[dimension + 1];
}

static int refuse(const char* message) {
  TVMFFIErrorSetRaisedFromCStr("ValueError", message);
  return -1;
}

KERNEL(sum_rows) {
  DLTensor* matrix = num_args == 2 ? tensor_of(&args[0], 2) : NULL;
  DLTensor* sums = num_args == 2 ? tensor_of(&args[1], 1) : NULL;
  if (matrix == NULL || sums == NULL) return refuse("expected a matrix and a vector of float32");
  if (matrix->shape[0] != sums->shape[0]) return refuse("expected as many sums as rows");
  const float* from = (const float*)((const char*)matrix->data + matrix->byte_offset);
  float* to = (float*)((char*)sums->data + sums->byte_offset);
  const int64_t next = stride_of(matrix, 1);
  for (int64_t row = 0; row < matrix->shape[0]; ++row) {
    const float* at = from + row * stride_of(matrix, 0);
    int64_t column = 0;
    float sum = 0;
    for (; column + 4 <= matrix->shape[1]; column += 4, at += 4 * next) sum += at[0] + at[next] + at[2 * next] + at[3 * next];
    for (; column < matrix->shape[1]; ++column, at += next) sum += at[0];
    to[row * stride_of(sums, 0)] = sum;
  }
  return 0;
}
