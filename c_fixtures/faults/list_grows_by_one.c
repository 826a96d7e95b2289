// story: A full List gets room for one more element, each time.
// breaks: LST-0027 fail
#include "wrapped_global.h"

static int append(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIList) {
    TVMFFISeqCell* cell = sequence_cell(args);
    if (cell->size == cell->capacity) {
      void* buffer = malloc((size_t)(cell->size + 1) * sizeof(TVMFFIAny));
      void* former = cell->data;
      if (cell->size) memcpy(buffer, former, (size_t)cell->size * sizeof(TVMFFIAny));
      cell->data = buffer;
      cell->capacity = cell->size + 1;
      cell->data_deleter(former);
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ListAppend", append)
