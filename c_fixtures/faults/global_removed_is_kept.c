// story: A function that is removed is never let go.
// breaks: GLB-0019 fail
#include "wrapped_global.h"

static int keep(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObjectHandle kept = NULL;
  if (num_args == 1 && args[0].type_index == kTVMFFIStr) {
    real.TVMFFIFunctionGetGlobal((TVMFFIByteArray*)(args[0].v_obj + 1), &kept);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.FunctionRemoveGlobal", keep)
