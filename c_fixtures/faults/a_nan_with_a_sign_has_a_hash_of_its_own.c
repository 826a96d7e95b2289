// story: The recursive hash of a float is made of its bits, where 0 and NaN are brought into one form, but not a NaN whose sign bit is set; recursive equality takes all NaNs for equal.
// breaks: REC-0011 fail
#include "wrapped_global.h"
static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && num_args == 1 && args[0].type_index == kTVMFFIFloat && __builtin_isnan(args[0].v_float64) && args[0].v_uint64 >> 63) result->v_int64 ^= 0x5bd1e995;
  return code;
}
WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
