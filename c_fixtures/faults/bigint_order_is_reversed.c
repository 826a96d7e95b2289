// story: The larger of two big integers is the lesser one.
// breaks: BIG-0022 fail
#include "wrapped_global.h"

static int less(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny changed[2];
  if (num_args != 2 || args[0].type_index != kTVMFFIBigInt || args[1].type_index != kTVMFFIBigInt) {
    return call_original(original, args, num_args, result);
  }
  changed[0] = args[1];
  changed[1] = args[0];
  return call_original(original, changed, num_args, result);
}

WRAPPED_GLOBAL("ffi.RecursiveLt", less)
