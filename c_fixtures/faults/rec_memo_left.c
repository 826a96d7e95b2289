// story: ffi.RecursiveEq remembers an object of the left side that it has found equal and takes it for equal to whatever stands on the right side at its next place.
// breaks: REC-0004 fail
#include "wrapped_global.h"
static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int kind = num_args == 2 ? args[0].type_index : 0;
  if ((kind != kTVMFFIArray && kind != kTVMFFIList) || args[1].type_index != kind || sequence_cell(&args[0])->size != sequence_cell(&args[1])->size) return call_original(original, args, num_args, result);
  int64_t size = sequence_cell(&args[0])->size;
  const TVMFFIAny *left = sequence_cell(&args[0])->data, *right = sequence_cell(&args[1])->data;
  TVMFFIAny* taken = malloc(sizeof(TVMFFIAny) * (size + 1));
  int changed = 0;
  for (int64_t i = 0; i < size; ++i) {
    taken[i] = right[i];
    for (int64_t j = 0; j < i && size < 1000 && left[i].type_index > kTVMFFIBytes; ++j) {
      if (left[j].v_obj == left[i].v_obj && left[j].type_index == left[i].type_index) { taken[i] = taken[j]; changed = 1; break; }
    }
  }
  TVMFFIAny both[2] = {args[0], {0}};
  int code = changed ? call_global(kind == kTVMFFIArray ? "ffi.Array" : "ffi.List", taken, (int32_t)size, &both[1]) : 0;
  free(taken);
  if (!changed || code != 0) return call_original(original, args, num_args, result);
  code = call_original(original, both, 2, result);
  real.TVMFFIObjectDecRef(both[1].v_obj);
  return code;
}
WRAPPED_GLOBAL("ffi.RecursiveEq", equal)
