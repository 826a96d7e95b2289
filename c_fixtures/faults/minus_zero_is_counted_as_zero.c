// story: Whether a Map or a Dict has a key is asked with 0 in the place of -0; what the value is, with the key itself.
// breaks: HSH-0009 fail
#include "wrapped_global.h"

static int count(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIFloat || args[1].v_float64 != 0) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny changed[2] = {args[0], {.type_index = kTVMFFIFloat, .v_float64 = 0}};
  return call_original(original, changed, 2, result);
}

WRAPPED_GLOBALS(count, "ffi.MapCount", "ffi.DictCount")
