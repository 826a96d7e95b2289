// story: ffi.ListClear releases the elements one after the other and sets the size to 0 only when all are gone.
// breaks: LST-0035 fail
#include "wrapped_global.h"
static int clear(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n != 1 || args[0].type_index != kTVMFFIList) return call_original(self, args, n, result);
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  for (int64_t i = 0; i < cell->size; ++i) {
    TVMFFIAny item = ((TVMFFIAny*)cell->data)[i];
    ((TVMFFIAny*)cell->data)[i] = (TVMFFIAny){0};
    if (item.type_index >= 64) real.TVMFFIObjectDecRef(item.v_obj);
  }
  cell->size = 0;
  return 0;
}
WRAPPED_GLOBAL("ffi.ListClear", clear)
