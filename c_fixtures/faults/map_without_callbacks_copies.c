// story: A structural map without any callbacks answers a deep copy of a List.
// breaks: VIS-0020 fail
#include "wrapped_global.h"

static int is_empty(const TVMFFIAny* callbacks) {
  return callbacks->type_index == kTVMFFIArray && sequence_cell(callbacks)->size == 0;
}

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 4 && args[0].type_index == kTVMFFIList && is_empty(&args[1]) && is_empty(&args[2])) {
    return call_global("ffi.DeepCopy", args, 1, result);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
