// story: A float of sixteen digits in an Array is written to JSON without its fraction.
// breaks: JSN-0021 fail
#include "wrapped_global.h"

enum { MOST = 4096 };

static int stringify(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 0 || args[0].type_index != kTVMFFIArray || sequence_cell(&args[0])->size > MOST) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFISeqCell* cell = sequence_cell(&args[0]);
  TVMFFIAny* items = cell->data;
  double before[MOST];
  for (int64_t i = 0; i < cell->size; ++i) {
    before[i] = items[i].v_float64;
    const double size = before[i] < 0 ? -before[i] : before[i];
    const int is_large = items[i].type_index == kTVMFFIFloat && size >= 0x1p50 && size < 0x1p52;
    if (is_large) items[i].v_float64 = (double)(int64_t)before[i];
  }
  const int code = call_original(original, args, num_args, result);
  for (int64_t i = 0; i < cell->size; ++i) {
    if (items[i].type_index == kTVMFFIFloat) items[i].v_float64 = before[i];
  }
  return code;
}

WRAPPED_GLOBAL("ffi.json.Stringify", stringify)
