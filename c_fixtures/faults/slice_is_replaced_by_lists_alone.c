// story: A slice of a List can be replaced by the elements of a List, but not by those of an Array.
// breaks: ARG-0009 fail
#include "wrapped_global.h"

static int replace(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 4 && args[3].type_index == kTVMFFIArray) {
    return refuse("TypeError", "Mismatched type on argument #3 when calling: `ffi.ListReplaceSlice`. Expected `List<Any>` but got `ffi.Array`");
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ListReplaceSlice", replace)
