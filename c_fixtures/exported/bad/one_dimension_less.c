// story: looks at how many elements there are, and reads a second extent that need not be there
// breaks: other-shape
#include "tensors.h"

KERNEL(transpose) {
  DLTensor* x = num_args == 2 ? floats_in(&args[0]) : NULL;
  DLTensor* y = num_args == 2 ? floats_in(&args[1]) : NULL;
  if (x == NULL || y == NULL || count_of(x) != 6 || count_of(y) != 6) return refuse("expected 2 tensors of 6 floats");
  int64_t rows = x->shape[0], columns = x->shape[1];
  if (rows * columns != 6) return refuse("expected 2 dimensions");
  for (int64_t i = 0; i < 6; ++i) ((float*)y->data)[i % columns * rows + i / columns] = ((float*)x->data)[i];
  return 0;
}
