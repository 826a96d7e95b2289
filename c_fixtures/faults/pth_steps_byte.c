// story: `_to_steps` counts the steps of a path in a byte: of a path of 256 steps and more it answers only as many as are left modulo 256.
// breaks: PTH-0004 fail
#include "access_path.h"

static int to_steps(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || sequence_cell(result)->size < 256) return code;
  TVMFFIAny all = *result;
  *result = (TVMFFIAny){0};
  code = call_global("ffi.Array", sequence_cell(&all)->data, (int32_t)(sequence_cell(&all)->size % 256), result);
  real.TVMFFIObjectDecRef(all.v_obj);
  return code;
}

CHANGED_METHOD_OF_PATHS("_to_steps", to_steps)
