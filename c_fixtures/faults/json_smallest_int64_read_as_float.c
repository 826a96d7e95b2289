// story: ffi.json.Parse reads the digits before it minds the sign, so -9223372036854775808 overflows and becomes a Float.
// breaks: JSN-0002 fail
#include "wrapped_global.h"

static void change(TVMFFIAny* value) {
  if (value->type_index == kTVMFFIInt && value->v_int64 == INT64_MIN) {
    value->type_index = kTVMFFIFloat;
    value->v_float64 = -9223372036854775808.0;
  } else if (value->type_index == kTVMFFIArray) {
    TVMFFISeqCell* cell = sequence_cell(value);
    for (int64_t i = 0; i < cell->size; ++i) change((TVMFFIAny*)cell->data + i);
  }
}

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) change(result);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
