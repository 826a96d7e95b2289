// story: A big integer is not found as a key.
// breaks: HSH-0018 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[1].type_index == kTVMFFIBigInt) return refuse("KeyError", "key is not in Map");
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.MapGetItem", callee)
