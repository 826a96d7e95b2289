// story: A List that has no buffer yet has no deleter for one.
// breaks: LST-0004 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && num_args == 0) sequence_cell(result)->data_deleter = NULL;
  return code;
}

WRAPPED_GLOBAL("ffi.List", callee)
