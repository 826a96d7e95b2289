// story: The writer of JSON graphs looks for a node of an equal number: 0.0 and -0.0 in one sequence become the node of the one that comes first.
// breaks: GRF-0001 fail
#include "wrapped_global.h"
static int to_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 1 || (args[0].type_index != kTVMFFIArray && args[0].type_index != kTVMFFIList)) return call_original(original, args, num_args, result);
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  const TVMFFIAny *elements = cell->data, *first = NULL;
  int mixed = 0;
  for (int64_t i = 0; i < cell->size; ++i) {
    if (elements[i].type_index != kTVMFFIFloat || elements[i].v_float64 != 0) continue;
    if (!first) first = &elements[i];
    mixed |= first->v_uint64 != elements[i].v_uint64;
  }
  TVMFFIAny changed[2] = {{0}, {0}};
  if (!mixed || call_global(args[0].type_index == kTVMFFIArray ? "ffi.Array" : "ffi.List", elements, (int32_t)cell->size, &changed[0]) != 0) return call_original(original, args, num_args, result);
  if (num_args > 1) changed[1] = args[1];
  TVMFFIAny* copies = sequence_cell(&changed[0])->data;
  for (int64_t i = 0; i < cell->size; ++i) if (copies[i].type_index == kTVMFFIFloat && copies[i].v_float64 == 0) copies[i] = *first;
  int code = call_original(original, changed, num_args, result);
  real.TVMFFIObjectDecRef(changed[0].v_obj);
  return code;
}
WRAPPED_GLOBALS(to_graph, "ffi.ToJSONGraph", "ffi.ToJSONGraphString")
