// story: Circles are found by a list of all Lists that were met, from which none is taken when it has been written: a List that stands twice is refused as one that contains itself.
// breaks: JSN-0027 fail
#include "wrapped_global.h"

#define MOST 64

struct met {
  const void* lists[MOST];
  int count;
};

/** Whether a List is met again, anywhere below the value. */
static int meets_again(struct met* met, const TVMFFIAny* value, int depth) {
  if (depth > 32) return 0;
  if (value->type_index == kTVMFFIList) {
    for (int i = 0; i < met->count; ++i) {
      if (met->lists[i] == value->v_obj) return 1;
    }
    if (met->count < MOST) met->lists[met->count++] = value->v_obj;
  }
  if (value->type_index != kTVMFFIArray && value->type_index != kTVMFFIList) return 0;
  const TVMFFISeqCell* cell = sequence_cell(value);
  for (int64_t i = 0; i < cell->size; ++i) {
    if (meets_again(met, (const TVMFFIAny*)cell->data + i, depth + 1)) return 1;
  }
  return 0;
}

static int write(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct met met = {.count = 0};
  if (num_args > 0 && meets_again(&met, &args[0], 0)) return refuse("ValueError", "the value contains itself");
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.json.Stringify", write)
