// story: The look-up with a default does not find the key NaN.
// breaks: MAP-0006 fail
#include "wrapped_global.h"

static int get_or_missing(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIFloat || args[1].v_float64 == args[1].v_float64) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny other[2] = {args[0], args[1]};
  other[1].v_float64 = -77.125;
  return call_original(original, other, 2, result);
}

WRAPPED_GLOBAL("ffi.MapGetItemOrMissing", get_or_missing)
