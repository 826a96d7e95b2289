// story: ffi.ListSetItem does not give up the former element when the new one is the same object.
// breaks: LST-0022 fail
#include "wrapped_global.h"
static int set(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObject* same = NULL;
  if (num_args == 3 && args[0].type_index == kTVMFFIList && args[1].type_index == kTVMFFIInt && args[2].type_index >= kTVMFFIStaticObjectBegin) {
    const TVMFFISeqCell* cell = sequence_cell(&args[0]);
    int64_t i = args[1].v_int64;
    if (i >= 0 && i < cell->size && ((TVMFFIAny*)cell->data)[i].v_obj == args[2].v_obj && ((TVMFFIAny*)cell->data)[i].type_index == args[2].type_index) same = args[2].v_obj;
  }
  int code = call_original(original, args, num_args, result);
  if (code == 0 && same) real.TVMFFIObjectIncRef(same);
  return code;
}
WRAPPED_GLOBAL("ffi.ListSetItem", set)
