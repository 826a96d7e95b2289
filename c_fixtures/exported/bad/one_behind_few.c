// story: reads the element behind the last of five
// breaks: reads-outside
#include "tensors.h"

KERNEL(rises) {
  DLTensor* x = num_args == 1 ? floats_in(&args[0]) : NULL;
  if (x == NULL || x->ndim != 1 || x->shape[0] != 5) return refuse("expected 5 floats");
  int64_t rises = 0;
  for (int64_t i = 0; i < 5; ++i) rises += ((volatile float*)x->data)[i + 1] > ((volatile float*)x->data)[i];
  *result = int_value(rises >= 4);
  return 0;
}
