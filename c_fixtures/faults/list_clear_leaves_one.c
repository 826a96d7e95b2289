// story: A List that is cleared keeps its last element.
// breaks: LST-0014 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIList || sequence_cell(&args[0])->size == 0) {
    return call_original(original, args, num_args, result);
  }
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  TVMFFIAny* items = cell->data;
  const TVMFFIAny kept = items[cell->size - 1];
  cell->size -= 1;
  int code = call_original(original, args, num_args, result);
  items[cell->size++] = kept;
  return code;
}

WRAPPED_GLOBAL("ffi.ListClear", callee)
