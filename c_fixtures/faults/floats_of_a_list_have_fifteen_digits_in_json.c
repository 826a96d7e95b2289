// story: ffi.json.Stringify writes the Floats in a List with fifteen significant digits.
// breaks: JSN-0021 fail
#include "wrapped_global.h"
static int write(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 1 || args[0].type_index != kTVMFFIList) return call_original(original, args, num_args, result);
  const TVMFFISeqCell* cell = sequence_cell(&args[0]);
  TVMFFIAny given[2] = {args[0], num_args > 1 ? args[1] : (TVMFFIAny){0}}, list = {0};
  TVMFFIAny* elements = malloc(((size_t)cell->size + 1) * sizeof(TVMFFIAny));
  for (int64_t i = 0; i < cell->size; ++i) {
    elements[i] = ((TVMFFIAny*)cell->data)[i];
    char text[64];
    snprintf(text, sizeof(text), "%.15g", elements[i].v_float64);
    if (elements[i].type_index == kTVMFFIFloat) elements[i].v_float64 = strtod(text, NULL);
  }
  int code = call_global("ffi.List", elements, (int32_t)cell->size, &list);
  free(elements);
  if (code != 0) return code;
  given[0] = list;
  code = call_original(original, given, num_args, result);
  real.TVMFFIObjectDecRef(list.v_obj);
  return code;
}
WRAPPED_GLOBAL("ffi.json.Stringify", write)
