// story: ffi.ListReserve with a number between the size and the room that there is gives the List a smaller buffer.
// breaks: LST-0015 fail
#include "wrapped_global.h"

static int reserve(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 2 && args[0].type_index == kTVMFFIList && args[1].type_index == kTVMFFIInt) {
    TVMFFISeqCell* cell = sequence_cell(&args[0]);
    if (args[1].v_int64 > 0 && args[1].v_int64 >= cell->size && args[1].v_int64 < cell->capacity) {
      void* smaller = malloc(args[1].v_int64 * sizeof(TVMFFIAny));
      memcpy(smaller, cell->data, cell->size * sizeof(TVMFFIAny));
      cell->data_deleter(cell->data);
      cell->data = smaller;
      cell->capacity = args[1].v_int64;
      *result = (TVMFFIAny){0};
      return 0;
    }
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ListReserve", reserve)
