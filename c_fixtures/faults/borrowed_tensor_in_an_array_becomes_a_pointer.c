// story: ffi.Array keeps a DLTensor pointer among its arguments as an opaque pointer.
// breaks: ARR-0008 fail
#include "wrapped_global.h"
static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny* given = malloc(((size_t)num_args + 1) * sizeof(*given));
  for (int32_t i = 0; i < num_args; ++i) {
    given[i] = args[i];
    if (given[i].type_index == kTVMFFIDLTensorPtr) given[i].type_index = kTVMFFIOpaquePtr;
  }
  int code = call_original(original, given, num_args, result);
  free(given);
  return code;
}
WRAPPED_GLOBAL("ffi.Array", make)
