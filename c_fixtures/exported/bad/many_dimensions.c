// story: has room for eight dimensions
// breaks: other-shape
// flags: -fno-stack-protector
#include "tensors.h"

static __attribute__((noinline)) void copy(int64_t* to, const int64_t* from, int32_t count) {
  for (int32_t i = 0; i < count; ++i) to[i] = from[i];
}

KERNEL(bytes) {
  DLTensor* x = num_args == 1 ? tensor_in(&args[0]) : NULL;
  if (x == NULL || x->device.device_type != kDLCPU) return refuse("expected a tensor of the host");
  int64_t shape[8], bytes = x->dtype.bits * x->dtype.lanes / 8;
  copy(shape, x->shape, x->ndim);
  for (int32_t i = 0; i < x->ndim && i < 8; ++i) bytes *= shape[i];
  *result = int_value(bytes);
  return 0;
}
