// story: The indent of a JSON text may not be None.
// breaks: ARG-0006 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[1].type_index == kTVMFFINone) return refuse("TypeError", "Expected int but got None");
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.json.Stringify", callee)
