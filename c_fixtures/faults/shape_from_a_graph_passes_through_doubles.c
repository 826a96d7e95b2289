// story: The extents of a Shape that is read from a JSON graph pass through doubles: those above 2^53 are rounded.
// breaks: GRF-0003 fail
#include "wrapped_global.h"

static void round_shapes(const TVMFFIAny* value, int depth) {
  if (depth > 100) return;
  if (value->type_index == kTVMFFIShape) {
    TVMFFIShapeCell* cell = (TVMFFIShapeCell*)(value->v_obj + 1);
    for (size_t i = 0; i < cell->size; ++i) {
      if (cell->data[i] > -(INT64_C(1) << 62) && cell->data[i] < INT64_C(1) << 62) ((int64_t*)cell->data)[i] = (int64_t)(double)cell->data[i];
    }
  } else if (value->type_index == kTVMFFIArray) {
    const TVMFFISeqCell* cell = (TVMFFISeqCell*)(value->v_obj + 1);
    for (int64_t i = 0; i < cell->size; ++i) round_shapes((const TVMFFIAny*)cell->data + i, depth + 1);
  }
}

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) round_shapes(result, 0);
  return code;
}

WRAPPED_GLOBALS(load, "ffi.FromJSONGraph", "ffi.FromJSONGraphString")
