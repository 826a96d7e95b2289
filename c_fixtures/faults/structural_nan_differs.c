// story: A NaN is not structurally equal to itself.
// breaks: SEQ-0002 fail
#include "wrapped_global.h"

static int is_nan(const TVMFFIAny* value) {
  return value->type_index == kTVMFFIFloat && value->v_float64 != value->v_float64;
}

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && is_nan(&args[0]) && is_nan(&args[1])) result->v_int64 = 0;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
