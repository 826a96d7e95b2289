// story: AccessPath._to_steps answers the last 64 steps of a longer path.
// breaks: PTH-0004 fail
#include "access_path.h"

static int to_steps(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || sequence_cell(result)->size <= 64) return code;
  TVMFFIAny all = *result;
  const TVMFFISeqCell* cell = sequence_cell(&all);
  *result = (TVMFFIAny){0};
  code = call_global("ffi.Array", (TVMFFIAny*)cell->data + cell->size - 64, 64, result);
  real.TVMFFIObjectDecRef(all.v_obj);
  return code;
}

CHANGED_METHOD_OF_PATHS("_to_steps", to_steps)
