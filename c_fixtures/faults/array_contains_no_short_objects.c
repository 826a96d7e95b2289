// story: A short string that is an object is not found in an Array.
// breaks: ARR-0014 fail
#include "wrapped_global.h"

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[1].type_index == kTVMFFIStr && ((TVMFFIByteArray*)(args[1].v_obj + 1))->size < 8) {
    *result = (TVMFFIAny){.type_index = kTVMFFIBool};
    return 0;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ArrayContains", contains)
