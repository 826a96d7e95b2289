// story: None is not less than any other value.
// breaks: REC-0008 fail
#include "wrapped_global.h"

static int less(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && args[0].type_index == kTVMFFINone) result->v_int64 = 0;
  return code;
}

WRAPPED_GLOBAL("ffi.RecursiveLt", less)
