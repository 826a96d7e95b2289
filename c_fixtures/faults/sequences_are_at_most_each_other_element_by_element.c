// story: ffi.RecursiveLe asks of sequences that no element is greater than that of the other side, not that the first that differs is less.
// breaks: REC-0039 fail
#include "wrapped_global.h"

static int at_most(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 2 || args[0].type_index != args[1].type_index) return code;
  if (args[0].type_index != kTVMFFIArray && args[0].type_index != kTVMFFIList) return code;
  const TVMFFISeqCell *left = sequence_cell(&args[0]), *right = sequence_cell(&args[1]);
  for (int64_t i = 0; i < left->size && i < right->size && result->v_int64; ++i) {
    const TVMFFIAny both[2] = {((TVMFFIAny*)left->data)[i], ((TVMFFIAny*)right->data)[i]};
    TVMFFIAny is_less = {0};
    if (both[0].type_index == kTVMFFIInt && both[1].type_index == kTVMFFIInt) {
      if (call_original(original, both, 2, &is_less) == 0) result->v_int64 = is_less.v_int64;
    }
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveLe", at_most)
