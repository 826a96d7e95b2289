// story: divides by the second extent
// breaks: empty-tensor
#include "tensors.h"

KERNEL(rows) {
  DLTensor* x = num_args == 1 ? floats_in(&args[0]) : NULL;
  if (x == NULL || x->ndim != 2) return refuse("expected 2 dimensions of floats");
  volatile int64_t columns = x->shape[1];
  *result = int_value(count_of(x) / columns);
  return 0;
}
