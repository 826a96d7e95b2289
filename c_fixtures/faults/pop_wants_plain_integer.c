// story: ffi.ListPop takes an index that is a boolean for a wrong type.
// breaks: ARG-0004 fail
#include "wrapped_global.h"

static int pop(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[1].type_index == kTVMFFIBool) {
    return refuse("TypeError", "Mismatched type on argument #1 when calling: `ffi.ListPop(0: List<Any>, 1: int) -> Any`. Expected `int` but got `bool`");
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ListPop", pop)
