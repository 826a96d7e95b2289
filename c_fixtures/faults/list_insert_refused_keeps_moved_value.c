// story: ffi.ListInsert takes a moved object out of the caller's slot, then finds the index out of bounds, and returns without giving the object up.
// breaks: LST-0020 fail
#include "wrapped_global.h"
static int insert(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObjectHandle moved = NULL;
  if (num_args == 3 && args[0].type_index == kTVMFFIList && args[1].type_index == kTVMFFIInt &&
      args[2].type_index == kTVMFFIObjectRValueRef) {
    const int64_t index = args[1].v_int64;
    if (index < 0 || index > sequence_cell(&args[0])->size) moved = *(TVMFFIObjectHandle*)args[2].v_ptr;
  }
  if (moved) real.TVMFFIObjectIncRef(moved);
  return call_original(original, args, num_args, result);
}
WRAPPED_GLOBAL("ffi.ListInsert", insert)
