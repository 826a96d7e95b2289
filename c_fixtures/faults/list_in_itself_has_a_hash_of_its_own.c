// story: The recursive hash of a List that is its own element is another than that of a longer circle of Lists.
// breaks: REC-0011 fail
#include "wrapped_global.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIList) return code;
  const TVMFFISeqCell* cell = sequence_cell(&args[0]);
  const TVMFFIAny* elements = cell->data;
  for (int64_t i = 0; i < cell->size; ++i) {
    if (elements[i].type_index == kTVMFFIList && elements[i].v_obj == args[0].v_obj) result->v_int64 += 1;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
