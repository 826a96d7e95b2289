// story: ffi.Shape keeps its extents as doubles on the way, so one above 2^53 may come out as its neighbour.
// breaks: CNT-0001 fail
#include "wrapped_global.h"

static int shape(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  TVMFFIShapeCell* cell = (TVMFFIShapeCell*)(result->v_obj + 1);
  for (size_t i = 0; i < cell->size; ++i) {
    volatile double extent = (double)cell->data[i];
    if (extent < 9223372036854775808.0) ((int64_t*)cell->data)[i] = (int64_t)extent;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.Shape", shape)
