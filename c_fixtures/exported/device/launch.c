// story: a careful kernel for a device that is not there
#include "tensors.h"

KERNEL(launch) {
  DLTensor* x = num_args == 1 ? tensor_in(&args[0]) : NULL;
  if (x == NULL || x->device.device_type != kDLCUDA) return refuse("expected a tensor of CUDA");
  if (x->ndim != 1 || !is_of(x, kDLFloat, 32)) return refuse("expected a vector of floats");
  if (x->shape[0] == 0) return 0;
  return refuse("there is no such device");
}
