// story: ffi.ListSetItem gives the former element up before it takes its reference to the new one, which may be the same object, held by nobody else.
// breaks: LST-0021 fail
#include "wrapped_global.h"

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 3 && args[0].type_index == kTVMFFIList && args[1].type_index == kTVMFFIInt) {
    const TVMFFISeqCell* cell = sequence_cell(&args[0]);
    const TVMFFIAny value = args[2];
    if (args[1].v_int64 >= 0 && args[1].v_int64 < cell->size && value.type_index != kTVMFFIObjectRValueRef) {
      TVMFFIAny* element = (TVMFFIAny*)cell->data + args[1].v_int64;
      const TVMFFIAny former = *element, all[3] = {args[0], args[1], value};
      *element = (TVMFFIAny){.type_index = kTVMFFINone};
      if (former.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(former.v_obj);
      return call_original(original, all, 3, result);
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ListSetItem", set_item)
