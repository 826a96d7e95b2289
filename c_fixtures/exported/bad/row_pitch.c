// story: looks at the strides within rows, and takes for granted that rows lie side by side
// breaks: layout
// also: writes-outside
#include "kernel.h"

static DLTensor* matrix_of(const TVMFFIAny* value) {
  DLTensor* tensor = NULL;
  if (value->type_index == kTVMFFIDLTensorPtr) tensor = value->v_ptr;
  if (value->type_index == kTVMFFITensor) tensor = (DLTensor*)((char*)value->v_obj + sizeof(TVMFFIObject));
  if (tensor == NULL || tensor->ndim != 2 || tensor->device.device_type != kDLCPU) return NULL;
  if (tensor->dtype.code != kDLFloat || tensor->dtype.bits != 32 || tensor->dtype.lanes != 1) return NULL;
  return tensor->strides == NULL || tensor->strides[1] == 1 ? tensor : NULL;
}

KERNEL(negate) {
  DLTensor* matrix = num_args == 1 ? matrix_of(&args[0]) : NULL;
  if (matrix == NULL) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "expected a matrix of float32 with rows without gaps");
    return -1;
  }
  float* data = (float*)((char*)matrix->data + matrix->byte_offset);
  for (int64_t i = 0; i < matrix->shape[0] * matrix->shape[1]; ++i) data[i] = -data[i];
  return 0;
}
