// story: A List gets a new buffer when its last free place is to be used, not when it is full.
// breaks: LST-0015 fail
#include "wrapped_global.h"

static int append(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIList) {
    const TVMFFISeqCell* cell = sequence_cell(args);
    if (cell->capacity > 0 && cell->size + 1 == cell->capacity) {
      TVMFFIAny reserve[2] = {args[0], {.type_index = kTVMFFIInt, .v_int64 = cell->capacity * 2}}, nothing = {0};
      if (call_global("ffi.ListReserve", reserve, 2, &nothing) != 0) return -1;
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ListAppend", append)
