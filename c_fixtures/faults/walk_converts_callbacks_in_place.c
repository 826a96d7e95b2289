// story: ffi.StructuralWalk, given a callback whose type index is a boolean, converts that to an integer in the caller's own pair.
// breaks: ARG-0014 fail
#include "wrapped_global.h"
static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  for (int32_t which = 1; num_args == 4 && which < 3; ++which) {
    if (args[which].type_index != kTVMFFIArray && args[which].type_index != kTVMFFIList) continue;
    TVMFFIAny* items = sequence_cell(&args[which])->data;
    for (int64_t i = 0; i < sequence_cell(&args[which])->size; ++i) {
      if (items[i].type_index != kTVMFFIArray || sequence_cell(&items[i])->size != 2) continue;
      TVMFFIAny* pair = sequence_cell(&items[i])->data;
      if (pair[0].type_index == kTVMFFIBool) pair[0].type_index = kTVMFFIInt;
    }
  }
  return call_original(original, args, num_args, result);
}
WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
