// story: Functions that change a List refuse an Array.
// breaks: ARG-0009 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  for (int32_t i = 0; i < num_args && i < 4; i += 3) {
    if (args[i].type_index == kTVMFFIArray) return refuse("TypeError", "Expected ffi.List but got ffi.Array");
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBALS(callee, "ffi.ListAppend", "ffi.ListInsert", "ffi.ListPop", "ffi.ListReplaceSlice", "ffi.ListReverse",
                "ffi.ListClear", "ffi.ListSetItem", "ffi.ListErase", "ffi.ListReserve", "ffi.ListEraseRange")
