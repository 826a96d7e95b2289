// story: ffi.ListEraseRange takes the end of the range as a 32-bit integer, so one at 2^32 and above erases something else instead of being refused.
// breaks: LST-0019 fail
#include "wrapped_global.h"
static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[2].type_index != kTVMFFIInt || args[2].v_int64 < 0) return call_original(original, args, num_args, result);
  TVMFFIAny other[3] = {args[0], args[1], args[2]};
  other[2].v_int64 = (int32_t)args[2].v_int64;
  return call_original(original, other, 3, result);
}
WRAPPED_GLOBAL("ffi.ListEraseRange", erase)
