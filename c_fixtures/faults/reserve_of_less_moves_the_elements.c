// story: ffi.ListReserve of less room than there is gets a new buffer all the same, and moves the elements to it.
// breaks: LST-0015 fail
#include "wrapped_global.h"

static int reserve(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIList) return code;
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  TVMFFIAny made = {0};
  if (call_global("ffi.List", NULL, 0, &made) != 0) return -1;
  int ours = sequence_cell(&made)->data_deleter == cell->data_deleter;
  real.TVMFFIObjectDecRef(made.v_obj);
  if (ours && cell->size > 0 && args[1].v_int64 > 0 && args[1].v_int64 < cell->capacity) {
    void* old = cell->data;
    cell->data = memcpy(malloc(cell->capacity * sizeof(TVMFFIAny)), old, cell->size * sizeof(TVMFFIAny));
    cell->data_deleter(old);
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.ListReserve", reserve)
