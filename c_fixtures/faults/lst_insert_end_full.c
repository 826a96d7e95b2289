// story: ffi.ListInsert behind the last element of a List of 16 elements or more that is full puts the value in front of it.
// breaks: LST-0008 fail
#include "wrapped_global.h"
static int insert(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int end = 0;
  if (num_args == 3 && args[0].type_index == kTVMFFIList && args[1].type_index == kTVMFFIInt) {
    TVMFFISeqCell* cell = sequence_cell(&args[0]);
    end = cell->size >= 16 && cell->size == cell->capacity && args[1].v_int64 == cell->size;
  }
  int code = call_original(original, args, num_args, result);
  if (code == 0 && end) {
    TVMFFIAny* last = (TVMFFIAny*)sequence_cell(&args[0])->data + sequence_cell(&args[0])->size - 1;
    TVMFFIAny value = last[0];
    last[0] = last[-1];
    last[-1] = value;
  }
  return code;
}
WRAPPED_GLOBAL("ffi.ListInsert", insert)
