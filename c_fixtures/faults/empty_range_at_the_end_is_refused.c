// story: ffi.ListEraseRange and ffi.ListReplaceSlice refuse a range of no elements that begins behind the last one.
// breaks: LST-0011 fail
// breaks: LST-0012 fail
#include "wrapped_global.h"

static int range(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args >= 3 && args[0].type_index == kTVMFFIList && args[1].type_index == kTVMFFIInt && args[2].type_index == kTVMFFIInt &&
      args[1].v_int64 == args[2].v_int64 && args[1].v_int64 == sequence_cell(&args[0])->size && args[1].v_int64 > 0) {
    return refuse("IndexError", "The range begins behind the last element");
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBALS(range, "ffi.ListEraseRange", "ffi.ListReplaceSlice")
