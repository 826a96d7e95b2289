// story: ffi.ArrayContains and ffi.ListContains compare a data type by code and bits, not by lanes.
// breaks: ARR-0014 fail
// breaks: LST-0016 fail
#include "wrapped_global.h"
static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 2 || args[1].type_index != kTVMFFIDataType || result->v_int64) return code;
  const TVMFFISeqCell* cell = sequence_cell(&args[0]);
  for (int64_t i = 0; i < cell->size; ++i) {
    const TVMFFIAny* e = (TVMFFIAny*)cell->data + i;
    if (e->type_index == kTVMFFIDataType && e->v_dtype.code == args[1].v_dtype.code && e->v_dtype.bits == args[1].v_dtype.bits) result->v_int64 = 1;
  }
  return 0;
}
WRAPPED_GLOBALS(contains, "ffi.ArrayContains", "ffi.ListContains")
