// story: The JSON literal `true` is read as the integer 1.
// breaks: JSN-0001 fail
#include "wrapped_global.h"

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIBool && result->v_int64) result->type_index = kTVMFFIInt;
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
