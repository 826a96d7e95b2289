// story: takes strides of 0 for those of elements that lie side by side
// breaks: reads-outside
#include "tensors.h"

KERNEL(sum) {
  DLTensor* x = num_args == 1 ? tensor_in(&args[0]) : NULL;
  if (x == NULL || x->ndim != 1 || !is_of(x, kDLFloat, 32)) return refuse("expected a vector of floats");
  if (x->device.device_type != kDLCPU || x->byte_offset != 0) return refuse("expected it on the host");
  if (x->strides != NULL && x->strides[0] != 1 && x->strides[0] != 0) return refuse("expected no gaps");
  double sum = 0;
  for (int64_t i = 0; i < x->shape[0]; ++i) sum += ((float*)x->data)[i];
  *result = (TVMFFIAny){.type_index = kTVMFFIFloat, .v_float64 = sum};
  return 0;
}
