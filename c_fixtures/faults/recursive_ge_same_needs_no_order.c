// story: ffi.RecursiveGe says yes for two values of the same sixteen bytes before it looks whether they have an order, which a NaN has not even with itself.
// breaks: REC-0010 fail
#include "wrapped_global.h"

static int greater_or_equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && memcmp(&args[0], &args[1], sizeof *args) == 0) {
    memset(result, 0, sizeof *result);
    result->type_index = kTVMFFIBool;
    result->v_int64 = 1;
    return 0;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.RecursiveGe", greater_or_equal)
