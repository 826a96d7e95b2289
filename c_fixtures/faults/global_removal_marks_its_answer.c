// story: The answer of ffi.FunctionRemoveGlobal has a flag in its second word.
// breaks: ANY-0025 fail
#include "wrapped_global.h"

static int mark(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) result->zero_padding = 1;
  return code;
}

WRAPPED_GLOBAL("ffi.FunctionRemoveGlobal", mark)
