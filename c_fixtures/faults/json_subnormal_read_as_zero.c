// story: ffi.json.Parse reads a number that is smaller than the normal floats as zero.
// breaks: JSN-0037 fail
#include "wrapped_global.h"
#include <float.h>

static void flush(TVMFFIAny* value) {
  if (value->type_index == kTVMFFIFloat) {
    if (value->v_float64 > -DBL_MIN && value->v_float64 < DBL_MIN) value->v_uint64 &= 1ull << 63;
  } else if (value->type_index == kTVMFFIArray) {
    TVMFFISeqCell* cell = sequence_cell(value);
    for (int64_t i = 0; i < cell->size; ++i) flush((TVMFFIAny*)cell->data + i);
  }
}

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) flush(result);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
