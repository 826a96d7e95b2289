// story: A structural map without any callbacks answers a deep copy of the value.
// breaks: VIS-0020 fail
#include "wrapped_global.h"
static int map(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n == 4 && args[1].type_index == kTVMFFIArray && args[2].type_index == kTVMFFIArray && sequence_cell(&args[1])->size == 0 && sequence_cell(&args[2])->size == 0 && args[0].type_index == kTVMFFIList)
    return call_global("ffi.DeepCopy", args, 1, result);
  return call_original(original, args, n, result);
}
WRAPPED_GLOBAL("ffi.StructuralMap", map)
