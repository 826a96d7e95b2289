// story: The capacity of an Array is that of the next power of two behind it, whatever memory there is.
// breaks: ARR-0006 crash
// chance: What is written behind an array that has no room changes whatever lies there.
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) sequence_cell(result)->capacity = 2 * sequence_cell(result)->capacity + 64;
  return code;
}

WRAPPED_GLOBAL("ffi.Array", callee)
