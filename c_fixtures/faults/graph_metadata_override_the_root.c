// story: ffi.FromJSONGraph takes a `root_index` that stands in the metadata, where they are a Map, for that of the graph.
// breaks: GRF-0011 fail
#include "map_entries.h"
#include "wrapped_global.h"

static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny metadata = {0}, root = {0}, graph = {0};
  if (num_args == 1 && args[0].type_index == kTVMFFIMap) metadata = value_at(&args[0], "metadata");
  if (metadata.type_index == kTVMFFIMap) root = value_at(&metadata, "root_index");
  if (root.type_index != kTVMFFIInt) return call_original(original, args, num_args, result);
  const TVMFFIAny entries[4] = {{.type_index = kTVMFFIRawStr, .v_c_str = "nodes"}, value_at(&args[0], "nodes"),
                                {.type_index = kTVMFFIRawStr, .v_c_str = "root_index"}, root};
  if (call_global("ffi.Map", entries, 4, &graph) != 0) return -1;
  int code = call_original(original, &graph, 1, result);
  real.TVMFFIObjectDecRef(graph.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.FromJSONGraph", read_graph)
