// story: A List comes back from its JSON graph as an Array.
// breaks: GRF-0005 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIList) {
    result->type_index = kTVMFFIArray;
    result->v_obj->type_index = kTVMFFIArray;
  }
  return code;
}

WRAPPED_GLOBALS(callee, "ffi.FromJSONGraph", "ffi.FromJSONGraphString")
