// story: A List that outgrows its buffer by an append leaves the old one behind.
// breaks: LST-0030 fail
#include "wrapped_global.h"

static int append(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIList) {
    TVMFFISeqCell* cell = sequence_cell(args);
    if (cell->size == cell->capacity) {
      int64_t capacity = 2 * cell->capacity + 1;
      void* buffer = malloc((size_t)capacity * sizeof(TVMFFIAny));
      if (cell->size) memcpy(buffer, cell->data, (size_t)cell->size * sizeof(TVMFFIAny));
      cell->data = buffer;
      cell->capacity = capacity;
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ListAppend", append)
