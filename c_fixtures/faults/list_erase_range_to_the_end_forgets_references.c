// story: ffi.ListEraseRange has a short way for ranges that reach to the end of the List, which sets the size alone and releases nothing.
// breaks: LST-0022 fail
#include "wrapped_global.h"
static int erase_range(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 3 && args[0].type_index == kTVMFFIList && args[1].type_index == kTVMFFIInt && args[2].type_index == kTVMFFIInt) {
    TVMFFISeqCell* cell = sequence_cell(&args[0]);
    if (args[1].v_int64 >= 0 && args[1].v_int64 <= args[2].v_int64 && args[2].v_int64 == cell->size) {
      cell->size = args[1].v_int64;
      *result = (TVMFFIAny){.type_index = kTVMFFINone};
      return 0;
    }
  }
  return call_original(original, args, num_args, result);
}
WRAPPED_GLOBAL("ffi.ListEraseRange", erase_range)
