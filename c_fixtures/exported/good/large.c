// story: doubles a large tensor of bytes, and takes many tensors
#include "kernel.h"

KERNEL(twice) {
  if (num_args < 1 || num_args > 50 || args[0].type_index != kTVMFFIDLTensorPtr || args[0].v_ptr == NULL) goto refuse;
  DLTensor* x = (DLTensor*)args[0].v_ptr;
  if (x->ndim != 1 || x->dtype.code != kDLInt || x->dtype.bits != 8 || x->dtype.lanes != 1) goto refuse;
  if (x->device.device_type != kDLCPU) goto refuse;
  for (int64_t i = 0; i < x->shape[0]; ++i) {
    ((int8_t*)x->data)[x->byte_offset + i * (x->strides == NULL ? 1 : x->strides[0])] *= 2;
  }
  return 0;
refuse:
  TVMFFIErrorSetRaisedFromCStr("TypeError", "expected up to 50 arguments, the first a vector of bytes");
  return -1;
}
