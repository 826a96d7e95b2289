// story: The table of nodes that were read lies in the thread: a `__data_from_json__` hook that reads a graph of its own empties it, and a List that stands in two places becomes two.
// breaks: HOK-0021 fail
#include "wrapped_global.h"

static int from_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static __thread int depth, emptied;
  if (depth == 0) emptied = 0;
  else emptied = 1;
  ++depth;
  int code = call_original(original, args, num_args, result);
  if (--depth > 0 || code != 0 || !emptied || result->type_index != kTVMFFIArray) return code;
  TVMFFIAny* items = sequence_cell(result)->data;
  int64_t hook = -1;
  for (int64_t i = 0; i < sequence_cell(result)->size; ++i) {
    if (items[i].type_index >= kTVMFFIDynObjectBegin) hook = i;
    for (int64_t j = 0; hook >= 0 && j < hook && items[i].type_index == kTVMFFIList; ++j) {
      if (items[j].type_index != kTVMFFIList || items[j].v_obj != items[i].v_obj) continue;
      TVMFFIAny other = {0};
      const TVMFFISeqCell* cell = sequence_cell(&items[i]);
      if (call_global("ffi.List", cell->data, (int32_t)cell->size, &other) != 0) break;
      real.TVMFFIObjectDecRef(items[i].v_obj);
      items[i] = other;
      break;
    }
  }
  return 0;
}
WRAPPED_GLOBALS(from_graph, "ffi.FromJSONGraph", "ffi.FromJSONGraphString")
