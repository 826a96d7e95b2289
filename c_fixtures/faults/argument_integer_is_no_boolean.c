// story: A parameter that is an integer refuses a boolean.
// breaks: ARG-0004 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  for (int32_t i = 0; i < num_args && i < 2; ++i) {
    if (args[i].type_index == kTVMFFIBool) return refuse("TypeError", "Expected int but got bool");
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBALS(callee, "ffi.ArrayGetItem", "ffi.ListGetItem", "ffi.ListInsert", "ffi.ListErase", "ffi.Shape",
                "ffi.ListSetItem", "ffi.ListPop")
