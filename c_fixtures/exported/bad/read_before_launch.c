// story: a kernel for a device whose host looks at the first element before it launches
// breaks: foreign-device
// also: empty-tensor
#include "tensors.h"

KERNEL(launch) {
  DLTensor* x = num_args == 1 ? tensor_in(&args[0]) : NULL;
  if (x == NULL || x->device.device_type != kDLCUDA) return refuse("expected a tensor of CUDA");
  if (x->ndim != 1 || !is_of(x, kDLFloat, 32)) return refuse("expected a vector of floats");
  if (*(volatile float*)x->data != *(volatile float*)x->data) return refuse("expected a number");
  return refuse("there is no such device");
}
