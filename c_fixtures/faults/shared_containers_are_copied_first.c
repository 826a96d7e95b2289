// story: A List or Dict that others hold as well is copied, and the copy is changed.
// breaks: LST-0017 fail
// breaks: DCT-0009 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args > 0 && args[0].type_index >= kTVMFFIList && (uint32_t)args[0].v_obj->combined_ref_count > 1) {
    /* Nobody sees the copy. */
    *result = (TVMFFIAny){.type_index = kTVMFFINone};
    return 0;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBALS(callee, "ffi.ListAppend", "ffi.ListSetItem", "ffi.ListInsert", "ffi.DictSetItem", "ffi.DictErase")
