// story: ffi.DictSetItem leaves the entry alone when the new float compares equal to the old one, so 0.0 never becomes -0.0.
// breaks: DCT-0003 fail
#include "wrapped_global.h"
static int set_item(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n == 3 && args[0].type_index == kTVMFFIDict && args[2].type_index == kTVMFFIFloat && args[1].type_index < kTVMFFIStaticObjectBegin &&
      args[1].type_index != kTVMFFIObjectRValueRef) {
    TVMFFIAny has = {0}, old = {0};
    if (call_global("ffi.DictCount", args, 2, &has) == 0 && has.v_int64 == 1 && call_global("ffi.DictGetItem", args, 2, &old) == 0) {
      if (old.type_index == kTVMFFIFloat && old.v_float64 == args[2].v_float64) return 0;
      if (old.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(old.v_obj);
    }
  }
  return call_original(original, args, n, result);
}
WRAPPED_GLOBAL("ffi.DictSetItem", set_item)
