// story: A structural map copies objects before it looks at their fields, and fails where an Array holds a Shape, which cannot be copied.
// breaks: VIS-0020 fail
#include "wrapped_global.h"

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 4 && args[0].type_index == kTVMFFIArray) {
    const TVMFFISeqCell* cell = sequence_cell(&args[0]);
    for (int64_t i = 0; i < cell->size; ++i) {
      if (((TVMFFIAny*)cell->data)[i].type_index != kTVMFFIShape) continue;
      real.TVMFFIErrorSetRaisedFromCStr("TypeError", "A Shape cannot be copied");
      return -1;
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
