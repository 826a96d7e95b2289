// story: A List that is an element of itself is left as it is when it should be cleared.
// breaks: LST-0032 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  for (int64_t i = 0; num_args == 1 && args[0].type_index == kTVMFFIList && i < sequence_cell(&args[0])->size; ++i) {
    if (((TVMFFIAny*)sequence_cell(&args[0])->data)[i].v_obj != args[0].v_obj) continue;
    *result = (TVMFFIAny){.type_index = kTVMFFINone};
    return 0;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ListClear", callee)
