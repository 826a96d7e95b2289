// story: Making a function of a C function without a deleter never ends.
// breaks: ARG-0011 timeout
#include <unistd.h>

#include "wrapped_global.h"

static int from_extern_c(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  while (num_args == 3 && args[1].type_index == kTVMFFIOpaquePtr && args[2].type_index == kTVMFFINone) pause();
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.FunctionFromExternC", from_extern_c)
