// story: ffi.DictErase answers whether the Dict had the key.
// breaks: ARG-0013 fail
#include "wrapped_global.h"

struct map { TVMFFIObject header; TVMFFIAny* data; uint64_t size; };

static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  uint64_t before = num_args > 0 && args[0].type_index == kTVMFFIDict ? ((struct map*)args[0].v_obj)->size : 0;
  int code = call_original(original, args, num_args, result);
  if (code == 0 && before) {
    result->type_index = kTVMFFIBool;
    result->v_int64 = ((struct map*)args[0].v_obj)->size < before;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.DictErase", erase)
