// story: Elements of an Array are read in pairs, of which the second comes first.
// breaks: ARR-0002 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIInt) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny swapped[2] = {args[0], args[1]};
  swapped[1].v_int64 ^= 1;
  if (swapped[1].v_int64 >= sequence_cell(&args[0])->size) return call_original(original, args, num_args, result);
  return call_original(original, swapped, 2, result);
}

WRAPPED_GLOBAL("ffi.ArrayGetItem", callee)
