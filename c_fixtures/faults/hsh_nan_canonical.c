// story: The functions of a Dict turn every NaN in a key into one, so NaNs with different bits are the same key.
// breaks: HSH-0009 fail
#include "wrapped_global.h"
static int with_key(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args >= 2 && num_args <= 3 && args[1].type_index == kTVMFFIFloat && args[1].v_float64 != args[1].v_float64) {
    TVMFFIAny changed[3] = {args[0], args[1], num_args > 2 ? args[2] : args[1]};
    changed[1].v_uint64 = 0x7ff8000000000000u;
    return call_original(original, changed, num_args, result);
  }
  return call_original(original, args, num_args, result);
}
WRAPPED_GLOBALS(with_key, "ffi.DictSetItem", "ffi.DictGetItem", "ffi.DictCount", "ffi.DictErase", "ffi.DictGetItemOrMissing")
