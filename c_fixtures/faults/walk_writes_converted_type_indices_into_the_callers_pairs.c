// story: Callbacks that are given in a List are converted where they lie: a boolean for a type index becomes an integer in the caller's own pair.
// breaks: ARG-0014 fail
#include "wrapped_global.h"

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  for (int32_t i = 1; code == 0 && i < 3; ++i) {
    if (args[i].type_index != kTVMFFIList) continue;
    TVMFFIAny* pairs = sequence_cell(&args[i])->data;
    for (int64_t j = 0; j < sequence_cell(&args[i])->size; ++j) {
      if (pairs[j].type_index != kTVMFFIArray) continue;
      TVMFFIAny* pair = sequence_cell(&pairs[j])->data;
      if (pair->type_index == kTVMFFIBool) pair->type_index = kTVMFFIInt;
    }
  }
  return code;
}
WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
