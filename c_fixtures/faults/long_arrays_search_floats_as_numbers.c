// story: ffi.ArrayContains compares floats as numbers in Arrays of 32 elements and more: NaN is not found, and -0.0 is found for 0.0.
// breaks: ARR-0014 fail
#include "wrapped_global.h"
static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIFloat || sequence_cell(&args[0])->size < 32) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFIAny* items = sequence_cell(&args[0])->data;
  *result = (TVMFFIAny){.type_index = kTVMFFIBool};
  for (int64_t i = 0; i < sequence_cell(&args[0])->size; ++i) {
    if (items[i].type_index == kTVMFFIFloat && items[i].v_float64 == args[1].v_float64) result->v_int64 = 1;
  }
  return 0;
}
WRAPPED_GLOBAL("ffi.ArrayContains", contains)
