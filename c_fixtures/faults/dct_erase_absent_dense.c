// story: ffi.DictErase raises a KeyError for a key that is not there once the Dict is dense.
// breaks: DCT-0004 fail
#include "wrapped_global.h"
static int take(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIAny there = {0};
  if (n == 2 && args[0].type_index == kTVMFFIDict && args[1].type_index != kTVMFFIObjectRValueRef && !(((uint64_t*)(args[0].v_obj + 1))[2] >> 63)) {
    int code = call_global("ffi.DictCount", args, 2, &there);
    if (code != 0) return code;
    if (!there.v_int64) return refuse("KeyError", "key is not in Map");
  }
  return call_original(self, args, n, result);
}
WRAPPED_GLOBAL("ffi.DictErase", take)
