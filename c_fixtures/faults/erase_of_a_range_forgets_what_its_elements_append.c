// story: ffi.ListEraseRange stores the size that it worked out before the elements ended, so what their ends append is neither there nor released.
// breaks: LST-0035 fail
#include "wrapped_global.h"

static int erase_range(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIList || args[1].type_index != kTVMFFIInt || args[2].type_index != kTVMFFIInt) {
    return call_original(original, args, num_args, result);
  }
  const int64_t size = sequence_cell(&args[0])->size - (args[2].v_int64 - args[1].v_int64);
  const int code = call_original(original, args, num_args, result);
  if (code == 0 && sequence_cell(&args[0])->size > size) sequence_cell(&args[0])->size = size;
  return code;
}

WRAPPED_GLOBAL("ffi.ListEraseRange", erase_range)

