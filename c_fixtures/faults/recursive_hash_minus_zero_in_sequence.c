// story: ffi.RecursiveHash hashes the floats in an Array or a List by their bits, so sequences of 0.0 and of -0.0 are equal and have two hashes.
// breaks: REC-0011 fail
#include "wrapped_global.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || (args[0].type_index != kTVMFFIArray && args[0].type_index != kTVMFFIList)) return code;
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  TVMFFIAny* items = cell->data;
  for (int64_t i = 0; i < cell->size; ++i) {
    if (items[i].type_index == kTVMFFIFloat && items[i].v_uint64 == 1ull << 63) result->v_int64 ^= (i + 1) << 40;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
