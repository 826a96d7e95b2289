// story: The reader of JSON graphs drops a node's object from its table with the second use, as most are used once or twice, and makes it anew for the third.
// breaks: GRF-0006 fail
#include "wrapped_global.h"

static int from_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || (result->type_index != kTVMFFIArray && result->type_index != kTVMFFIList)) return code;
  TVMFFISeqCell* cell = sequence_cell(result);
  TVMFFIAny* items = cell->data;
  for (int64_t i = 0; i < cell->size; ++i) {
    int before = 0;
    if (items[i].type_index != kTVMFFIList && items[i].type_index != kTVMFFIArray) continue;
    for (int64_t j = 0; j < i; ++j) before += items[j].type_index == items[i].type_index && items[j].v_obj == items[i].v_obj;
    if (before < 2) continue;
    TVMFFIAny made = {0};
    TVMFFISeqCell* inner = sequence_cell(&items[i]);
    if (call_global(items[i].type_index == kTVMFFIList ? "ffi.List" : "ffi.Array", inner->data, (int32_t)inner->size, &made) != 0) continue;
    real.TVMFFIObjectDecRef(items[i].v_obj);
    items[i] = made;
  }
  return 0;
}

WRAPPED_GLOBALS(from_graph, "ffi.FromJSONGraph", "ffi.FromJSONGraphString")
