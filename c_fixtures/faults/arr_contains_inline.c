// story: ffi.ArrayContains looks for elements only within the object: an Array of a client's with a buffer of its own contains nothing.
// breaks: ARR-0019 fail
#include "wrapped_global.h"

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && sequence_cell(&args[0])->data_deleter != NULL) result->v_int64 = 0;
  return code;
}

WRAPPED_GLOBAL("ffi.ArrayContains", contains)
