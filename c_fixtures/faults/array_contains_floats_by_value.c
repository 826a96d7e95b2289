// story: ffi.ArrayContains compares floats as numbers, so 0.0 is found where only -0.0 is and a NaN is never found.
// breaks: ARR-0014 fail
#include "wrapped_global.h"

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[1].type_index != kTVMFFIFloat || args[0].type_index != kTVMFFIArray) return code;
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  TVMFFIAny* items = cell->data;
  result->v_int64 = 0;
  for (int64_t i = 0; i < cell->size; ++i) {
    if (items[i].type_index == kTVMFFIFloat && items[i].v_float64 == args[1].v_float64) result->v_int64 = 1;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.ArrayContains", contains)
