// story: The elements of a JSON array are read from the end.
// breaks: JSN-0009 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIArray) return code;
  TVMFFISeqCell* cell = sequence_cell(result);
  TVMFFIAny* items = cell->data;
  for (int64_t i = 0; i < cell->size / 2; ++i) {
    const TVMFFIAny item = items[i];
    items[i] = items[cell->size - 1 - i];
    items[cell->size - 1 - i] = item;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.json.Parse", callee)
