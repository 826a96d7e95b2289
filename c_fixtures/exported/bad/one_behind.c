// story: looks at one argument more than there are
// breaks: wrong-count
#include "kernel.h"

KERNEL(count_integers) {
  int64_t count = 0;
  for (int32_t i = 0; i <= num_args; ++i) count += num_args > 0 && args[i].type_index == kTVMFFIInt;
  *result = int_value(count);
  return 0;
}
