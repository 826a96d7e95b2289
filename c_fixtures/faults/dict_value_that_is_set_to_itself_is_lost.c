// story: ffi.DictSetItem gives up the former value before it looks at the new one: a value that only the Dict holds, set again, is lost.
// breaks: DCT-0003 fail
#include "wrapped_global.h"

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 3 && args[0].type_index == kTVMFFIDict && args[2].type_index >= kTVMFFIStaticObjectBegin) {
    TVMFFIAny former = {0}, nothing = {0};
    if (call_global("ffi.DictGetItemOrMissing", args, 2, &former) != 0) return -1;
    int alone = former.type_index == args[2].type_index && former.v_obj == args[2].v_obj &&
                (uint32_t)former.v_obj->combined_ref_count == 2;
    if (former.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(former.v_obj);
    if (alone) return call_global("ffi.DictErase", args, 2, &nothing);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.DictSetItem", set_item)
