// story: A JSON graph has one node for floats that compare equal: where 0.0 and -0.0 stand in one array, both come back as the first.
// breaks: GRF-0001 fail
#include "wrapped_global.h"
static int write(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n != 2 || args[0].type_index != kTVMFFIArray) return call_original(original, args, n, result);
  const int64_t size = sequence_cell(args)->size;
  TVMFFIAny* items = calloc((size_t)size + 1, sizeof(*items));
  TVMFFIAny zero = {0}, changed[2] = {{0}, args[1]};
  if (size) memcpy(items, sequence_cell(args)->data, (size_t)size * sizeof(*items));
  for (int64_t i = 0; i < size; ++i) {
    if (items[i].type_index != kTVMFFIFloat || items[i].v_float64 != 0) continue;
    if (zero.type_index == kTVMFFINone) zero = items[i];
    items[i] = zero;
  }
  int code;
  if (zero.type_index == kTVMFFINone || call_global("ffi.Array", items, (int32_t)size, &changed[0]) != 0) {
    code = call_original(original, args, n, result);
  } else {
    code = call_original(original, changed, 2, result);
    real.TVMFFIObjectDecRef(changed[0].v_obj);
  }
  free(items);
  return code;
}
WRAPPED_GLOBALS(write, "ffi.ToJSONGraph", "ffi.ToJSONGraphString")
