// story: The functions of recursive order look at the sign of the difference of two integers that they are given, which overflows for those that lie far apart.
// breaks: REC-0007 fail
#include "wrapped_global.h"
static int order(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIInt || args[1].type_index != kTVMFFIInt) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny sign[2] = {args[0], args[1]};
  sign[0].v_int64 = (int64_t)((uint64_t)args[0].v_int64 - (uint64_t)args[1].v_int64);
  sign[1].v_int64 = 0;
  return call_original(original, sign, 2, result);
}
WRAPPED_GLOBALS(order, "ffi.RecursiveLt", "ffi.RecursiveLe", "ffi.RecursiveGt", "ffi.RecursiveGe")
