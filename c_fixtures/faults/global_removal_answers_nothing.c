// story: ffi.FunctionRemoveGlobal removes the name and answers None.
// breaks: GLB-0033 fail
#include "wrapped_global.h"

static int answer_nothing(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny none = {0};
  int code = call_original(original, args, num_args, result);
  if (code == 0) *result = none;
  return code;
}

WRAPPED_GLOBAL("ffi.FunctionRemoveGlobal", answer_nothing)
