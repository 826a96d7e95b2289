// story: ffi.json.Parse reads the digits of a number first and the sign after that, so that -9223372036854775808 overflows and becomes a Float.
// breaks: JSN-0002 fail
#include "map_entries.h"
#include "wrapped_global.h"
static void change(TVMFFIAny* value, int depth) {
  if (value->type_index == kTVMFFIInt && value->v_int64 == INT64_MIN) {
    *value = (TVMFFIAny){.type_index = kTVMFFIFloat, .v_float64 = -9223372036854775808.0};
  } else if (depth > 0 && value->type_index == kTVMFFIArray) {
    TVMFFIAny* items = sequence_cell(value)->data;
    for (int64_t i = 0; i < sequence_cell(value)->size; ++i) change(&items[i], depth - 1);
  } else if (depth > 0 && value->type_index == kTVMFFIMap) {
    for (TVMFFIAny* entry = first_entry(value); entry; entry = next_entry(value, entry)) change(&entry[1], depth - 1);
  }
}
static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) change(result, 512);
  return code;
}
WRAPPED_GLOBAL("ffi.json.Parse", parse)
