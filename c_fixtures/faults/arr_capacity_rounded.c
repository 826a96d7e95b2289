// story: ffi.Array tells a capacity that is rounded up to a power of two, although there is no memory for more than the elements.
// breaks: ARR-0006 crash
#include "wrapped_global.h"
static int array(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args < 3) return code;
  TVMFFISeqCell* cell = sequence_cell(result);
  int64_t rounded = 4;
  while (rounded < cell->size) rounded *= 2;
  if (cell->capacity < rounded) cell->capacity = rounded;
  return 0;
}
WRAPPED_GLOBAL("ffi.Array", array)
