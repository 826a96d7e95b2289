// story: A float that is no number is written as null.
// breaks: JSN-0022 fail
#include "wrapped_global.h"

static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny none[2] = {{.type_index = kTVMFFINone}, {.type_index = kTVMFFINone}};
  if (num_args == 2 && args[0].type_index == kTVMFFIFloat && args[0].v_float64 != args[0].v_float64) args = none;
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.json.Stringify", stringify)
