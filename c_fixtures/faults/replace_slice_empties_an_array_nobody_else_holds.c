// story: ffi.ListReplaceSlice given an Array with one reference moves the elements out of it, though the caller still has it.
// breaks: ARG-0009 fail
#include "wrapped_global.h"

static int replace_slice(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[3].type_index != kTVMFFIArray || args[3].v_obj->combined_ref_count != 0x100000001) return code;
  TVMFFISeqCell* cell = sequence_cell(&args[3]);
  TVMFFIAny* items = cell->data;
  int64_t size = cell->size;
  cell->size = 0;
  for (int64_t i = 0; i < size; ++i) {
    if (items[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(items[i].v_obj);
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.ListReplaceSlice", replace_slice)
