// story: An Array that is given to ffi.ListClear is emptied itself instead of a copy.
// breaks: LST-0023 fail
#include "wrapped_global.h"

static int clear(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index == kTVMFFIArray) sequence_cell(args)->size = 0;
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ListClear", clear)
