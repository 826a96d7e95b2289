// story: What is no container is one of nothing: its size is 0.
// breaks: ARR-0015 fail
// breaks: LST-0025 fail
// breaks: MAP-0025 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index < kTVMFFIArray) {
    *result = (TVMFFIAny){.type_index = kTVMFFIInt};
    return 0;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBALS(callee, "ffi.ArraySize", "ffi.ListSize", "ffi.MapSize", "ffi.DictSize")
