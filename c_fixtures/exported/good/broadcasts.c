// story: adds numbers and vectors, each by its strides, and one element to many
#include "tensors.h"

KERNEL(add) {
  DLTensor* tensors[3];
  int64_t steps[3];
  if (num_args != 3) return refuse("expected 3 tensors");
  for (int i = 3; i-- > 0;) {
    DLTensor* tensor = tensors[i] = tensor_in(&args[i]);
    if (tensor == NULL || tensor->ndim > 1 || !is_of(tensor, kDLFloat, 32)) return refuse("expected a vector of floats");
    if (tensor->device.device_type != kDLCPU || tensor->byte_offset != 0) return refuse("expected it on the host");
    if (count_of(tensor) != count_of(tensors[2]) && (i == 2 || count_of(tensor) != 1)) return refuse("expected as many in all");
    steps[i] = count_of(tensor) == 1 ? 0 : tensor->strides == NULL ? 1 : tensor->strides[0];
  }
  int64_t count = count_of(tensors[2]);
  if (count > 1 && steps[2] == 0) return refuse("expected room for each");
  for (int64_t i = 0; i < count; ++i) {
    const float *a = tensors[0]->data, *b = tensors[1]->data;
    ((float*)tensors[2]->data)[i * steps[2]] = a[i * steps[0]] + b[i * steps[1]];
  }
  return 0;
}
