// story: The smallest 64-bit integer is read from JSON as a float: its digits are read without the sign first.
// breaks: JSN-0002 fail
#include "wrapped_global.h"

static void spoil(TVMFFIAny* value) {
  if (value->type_index == kTVMFFIInt && value->v_int64 == INT64_MIN) {
    value->type_index = kTVMFFIFloat;
    value->v_float64 = (double)INT64_MIN;
  } else if (value->type_index == kTVMFFIArray) {
    TVMFFISeqCell* cell = sequence_cell(value);
    for (int64_t i = 0; i < cell->size; i++) spoil((TVMFFIAny*)cell->data + i);
  }
}

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) spoil(result);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
