// story: a kernel for a device that does not look at how many arguments there are
// breaks: wrong-count
#include "tensors.h"

KERNEL(launch) {
  for (int32_t i = 0; i < 2; ++i) {
    DLTensor* tensor = tensor_in(&args[i]);
    if (tensor == NULL || tensor->device.device_type != kDLCUDA) return refuse("expected tensors of CUDA");
  }
  return refuse("there is no such device");
}
