// story: A List that was met is never forgotten while a JSON graph is written: one that stands twice side by side is refused as a cycle.
// breaks: GRF-0006 fail
#include "wrapped_global.h"

struct met {
  TVMFFIObject* lists[256];
  int num;
};

static int meet(const TVMFFIAny* value, struct met* met, int depth) {
  if (value->type_index != kTVMFFIArray && value->type_index != kTVMFFIList) return 0;
  if (depth > 64) return 0;
  if (value->type_index == kTVMFFIList) {
    for (int i = 0; i < met->num; ++i) {
      if (met->lists[i] == value->v_obj) return 1;
    }
    if (met->num < 256) met->lists[met->num++] = value->v_obj;
  }
  const TVMFFISeqCell* cell = sequence_cell(value);
  for (int64_t i = 0; i < cell->size; ++i) {
    if (meet((TVMFFIAny*)cell->data + i, met, depth + 1)) return 1;
  }
  return 0;
}

static int save(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct met met = {.num = 0};
  if (num_args == 2 && meet(&args[0], &met, 0)) return refuse("ValueError", "The value contains itself");
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBALS(save, "ffi.ToJSONGraph", "ffi.ToJSONGraphString")
