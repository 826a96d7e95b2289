// story: ffi.FunctionRemoveGlobal ignores arguments after its first.
// breaks: GLB-0024 fail
#include "wrapped_global.h"

static int take_the_first(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return call_original(original, args, num_args > 1 ? 1 : num_args, result);
}

WRAPPED_GLOBAL("ffi.FunctionRemoveGlobal", take_the_first)
