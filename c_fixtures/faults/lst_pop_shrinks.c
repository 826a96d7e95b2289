// story: ffi.ListPop moves the elements into a smaller buffer when less than a quarter of the room is used, also when the room was reserved.
// breaks: LST-0015 fail
#include "wrapped_global.h"
static int pop(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIList) return code;
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  TVMFFIAny list = {0};
  if (cell->capacity < 16 || cell->size * 4 >= cell->capacity || call_global("ffi.List", args, 1, &list) != 0) return code;
  int own = sequence_cell(&list)->data_deleter == cell->data_deleter;
  real.TVMFFIObjectDecRef(list.v_obj);
  if (!own) return 0;
  void* smaller = malloc(cell->capacity / 2 * sizeof(TVMFFIAny));
  memcpy(smaller, cell->data, cell->size * sizeof(TVMFFIAny));
  free(cell->data);
  cell->data = smaller;
  cell->capacity /= 2;
  return 0;
}
WRAPPED_GLOBAL("ffi.ListPop", pop)
