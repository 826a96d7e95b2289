// story: ffi.DictErase takes the key -0.0 for 0.0, which the other functions of a Dict tell apart.
// breaks: DCT-0004 fail
#include "wrapped_global.h"
static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIDict || args[1].type_index != kTVMFFIFloat || args[1].v_float64 != 0) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny count = {0}, given[2] = {args[0], args[1]};
  if (call_global("ffi.DictCount", args, 2, &count) == 0 && count.v_int64 == 0) given[1].v_uint64 ^= (uint64_t)1 << 63;
  return call_original(original, given, 2, result);
}
WRAPPED_GLOBAL("ffi.DictErase", erase)
