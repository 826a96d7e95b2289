// story: writes behind what it has asked for, which goes well as a rule
// breaks: sanitizer
// flags: -fsanitize=address
#include <stdlib.h>
#include "kernel.h"

KERNEL(count) {
  volatile char* scratch = (char*)malloc(8);
  scratch[8 + (num_args > 0)] = 1;
  *result = int_value(num_args);
  free((void*)scratch);
  return 0;
}
