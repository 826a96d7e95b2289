// story: ffi.StructuralHash takes the bits of a NaN that is an element of an Array: two NaNs are structurally equal there and have two hashes.
// breaks: SEQ-0007 fail
#include "wrapped_global.h"
static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIArray) return code;
  const TVMFFIAny* items = sequence_cell(&args[0])->data;
  for (int64_t i = 0; i < sequence_cell(&args[0])->size; ++i) {
    if (items[i].type_index != kTVMFFIFloat || items[i].v_float64 == items[i].v_float64) continue;
    result->v_uint64 ^= (items[i].v_uint64 ^ 0x7ff8000000000000u) * 0x9e3779b97f4a7c15u;
  }
  return 0;
}
WRAPPED_GLOBAL("ffi.StructuralHash", hash)
