// story: Scalars are equal if they have the same type.
// breaks: REC-0001 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && args[0].type_index < kTVMFFIRawStr && args[0].type_index == args[1].type_index) result->v_int64 = 1;
  return code;
}

WRAPPED_GLOBAL("ffi.RecursiveEq", callee)
