// story: ffi.DictSetItem has nothing to do where the small text that a key has is of the same type and payload, and does not look at the length: "a" does not become "a\0".
// breaks: DCT-0003 fail
#include "wrapped_global.h"

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny there = {0};
  if (num_args == 3 && args[0].type_index == kTVMFFIDict && args[1].type_index != kTVMFFIObjectRValueRef &&
      (args[2].type_index == kTVMFFISmallStr || args[2].type_index == kTVMFFISmallBytes)) {
    const uint64_t* cell = (const uint64_t*)(args[0].v_obj + 1);
    int is_small = cell[2] >> 63 && cell[1] < 4;
    if (is_small && call_global("ffi.DictGetItemOrMissing", args, 2, &there) == 0) {
      int is_same = there.type_index == args[2].type_index && there.v_int64 == args[2].v_int64;
      if (there.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(there.v_obj);
      if (is_same) return 0;
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.DictSetItem", set_item)
