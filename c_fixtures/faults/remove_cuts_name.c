// story: ffi.FunctionRemoveGlobal reads its name up to a NUL, and removes another function than it was told.
// breaks: GLB-0018 fail
#include "wrapped_global.h"

static int remove_global(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIStr) {
    TVMFFIAny name = {.type_index = kTVMFFIRawStr, .v_c_str = ((TVMFFIByteArray*)(args[0].v_obj + 1))->data};
    return call_original(original, &name, 1, result);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.FunctionRemoveGlobal", remove_global)
