// story: leaves something in the unused half of a word
// breaks: result-padding
#include "kernel.h"

KERNEL(count) {
  *result = int_value(num_args);
  result->zero_padding = 0xFFFFFFFF;
  return 0;
}
