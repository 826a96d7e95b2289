// story: ffi.ReprPrint counts the levels that it is within, up to 600, and does not count back where the error of a hook passes: after a few failures nothing is printed on that thread any more.
// breaks: FUN-0028 fail
#include "wrapped_global.h"

/* How many levels a value has, up to 600. */
static int levels(const TVMFFIAny* value, int above, int* budget) {
  int most = 0;
  if (above >= 600 || --*budget < 0) return 0;
  if (value->type_index == kTVMFFIArray || value->type_index == kTVMFFIList) {
    const TVMFFISeqCell* cell = sequence_cell(value);
    for (int64_t i = 0; i < cell->size; ++i) {
      const int here = levels((const TVMFFIAny*)cell->data + i, above + 1, budget);
      if (here > most) most = here;
    }
  }
  return most + 1;
}

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static _Thread_local int within;
  if (num_args != 1) return call_original(original, args, num_args, result);
  int budget = 10000, own = levels(&args[0], 0, &budget);
  if (within && within + own > 600) {
    within = 600;
    return refuse("RuntimeError", "ReprPrint: value is nested too deeply");
  }
  int code = call_original(original, args, num_args, result);
  if (code != 0) within += own;
  return code;
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
