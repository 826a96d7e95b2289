// story: A range beyond the end of a List releases what is no element.
// breaks: LST-0019 crash
#include "wrapped_global.h"

static int erase(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 3 && args[0].type_index == kTVMFFIList && args[2].type_index == kTVMFFIInt &&
      args[2].v_int64 > sequence_cell(args)->size) {
    abort();
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ListEraseRange", erase)
