// story: When one of the arguments of an Array cannot be kept, the objects that were moved out of the arguments before it are not given up.
// breaks: ARG-0001 fail
#include "wrapped_global.h"

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObjectHandle* taken = calloc(num_args > 0 ? num_args : 1, sizeof(*taken));
  for (int32_t i = 0; i < num_args; ++i) {
    if (args[i].type_index != kTVMFFIObjectRValueRef) continue;
    taken[i] = *(TVMFFIObjectHandle*)args[i].v_ptr;
    if (taken[i]) real.TVMFFIObjectIncRef(taken[i]);
  }
  int code = call_original(original, args, num_args, result);
  for (int32_t i = 0; i < num_args; ++i) {
    if (taken[i] && (code == 0 || *(TVMFFIObjectHandle*)args[i].v_ptr)) real.TVMFFIObjectDecRef(taken[i]);
  }
  free(taken);
  return code;
}

WRAPPED_GLOBALS(make, "ffi.Array", "ffi.List")
