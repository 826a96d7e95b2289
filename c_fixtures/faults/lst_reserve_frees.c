// story: ffi.ListReserve and ffi.ListInsert free the old buffer of a List themselves instead of calling its data_deleter.
// breaks: LST-0030 fail
#include "wrapped_global.h"
static int grow(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n < 2 || args[0].type_index != kTVMFFIList) return call_original(self, args, n, result);
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  void (*deleter)(void*) = cell->data_deleter;
  real.TVMFFIObjectIncRef(args[0].v_obj);
  cell->data_deleter = free;
  int code = call_original(self, args, n, result);
  cell->data_deleter = deleter;
  real.TVMFFIObjectDecRef(args[0].v_obj);
  return code;
}
WRAPPED_GLOBALS(grow, "ffi.ListReserve", "ffi.ListInsert")
