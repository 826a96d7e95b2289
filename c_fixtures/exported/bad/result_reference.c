// story: returns its argument without another reference to it
// breaks: result-reference
#include "kernel.h"

KERNEL(same) {
  if (num_args == 1 && args[0].type_index >= kTVMFFIStaticObjectBegin) *result = args[0];
  return 0;
}
