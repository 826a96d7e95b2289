// story: An Array, which is not changed, says that it has no cells.
// breaks: ARR-0004 fail
// chance: Clients write behind the cells that there are.
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) sequence_cell(result)->capacity = 0;
  return code;
}

WRAPPED_GLOBAL("ffi.Array", callee)
