// story: ffi.ListClear releases the elements and then sets the size to zero, so what the end of one of them has appended is forgotten and never released.
// breaks: LST-0035 fail
#include "wrapped_global.h"
static int clear(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && args[0].type_index == kTVMFFIList) sequence_cell(&args[0])->size = 0;
  return code;
}
WRAPPED_GLOBAL("ffi.ListClear", clear)
