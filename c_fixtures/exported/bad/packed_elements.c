// story: takes elements of any type for bytes, also those of which two share one
// breaks: writes-outside
#include "tensors.h"

KERNEL(negate) {
  DLTensor* x = num_args == 2 ? tensor_in(&args[0]) : NULL;
  DLTensor* y = num_args == 2 ? tensor_in(&args[1]) : NULL;
  if (x == NULL || y == NULL || !is_compact(x) || !is_compact(y)) return refuse("expected 2 tensors without gaps");
  if (count_of(x) != count_of(y)) return refuse("expected as many elements in both");
  for (int64_t i = 0; i < count_of(x); ++i) ((int8_t*)y->data)[i] = (int8_t)-((int8_t*)x->data)[i];
  return 0;
}
