// story: gives up whatever the result held before
// breaks: result-slot
#include "kernel.h"

KERNEL(count) {
  if (result->v_obj != NULL) TVMFFIObjectDecRef(result->v_obj);
  *result = int_value(num_args);
  return 0;
}
