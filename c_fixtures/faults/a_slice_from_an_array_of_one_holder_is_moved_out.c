// story: ffi.ListReplaceSlice takes the items of an Array that only its caller holds instead of copying them, and leaves that Array empty.
// breaks: ARG-0009 fail
#include "wrapped_global.h"
static int replace(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[3].type_index != kTVMFFIArray || args[3].v_obj->combined_ref_count != 0x100000001ull) return code;
  TVMFFISeqCell* cell = sequence_cell(&args[3]);
  const int64_t size = cell->size;
  cell->size = 0;
  for (int64_t i = 0; i < size; ++i) {
    const TVMFFIAny* item = (TVMFFIAny*)cell->data + i;
    if (item->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(item->v_obj);
  }
  return 0;
}
WRAPPED_GLOBAL("ffi.ListReplaceSlice", replace)
