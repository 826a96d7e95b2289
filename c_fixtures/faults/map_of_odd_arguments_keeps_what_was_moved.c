// story: A Map or a Dict of an odd number of arguments is refused after objects in r-value references have been taken, which nobody gives up.
// breaks: ARG-0001 fail
#include "wrapped_global.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args % 2 == 0) return call_original(original, args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) {
    if (args[i].type_index == kTVMFFIObjectRValueRef) *(TVMFFIObjectHandle*)args[i].v_ptr = NULL;
  }
  return refuse("ValueError", "Expected keys and values in turn");
}

WRAPPED_GLOBALS(make, "ffi.Map", "ffi.Dict")
