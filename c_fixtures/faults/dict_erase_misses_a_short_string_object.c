// story: ffi.DictErase does not find a key of up to seven bytes that it is given as a String or Bytes object.
// breaks: DCT-0004 fail
// breaks: HSH-0005 fail
#include "wrapped_global.h"

static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIDict &&
      (args[1].type_index == kTVMFFIStr || args[1].type_index == kTVMFFIBytes) &&
      ((TVMFFIByteArray*)(args[1].v_obj + 1))->size <= 7) {
    memset(result, 0, sizeof(*result));
    return 0;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.DictErase", erase)
