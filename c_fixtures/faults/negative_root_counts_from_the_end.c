// story: A negative root index of a JSON graph counts from the end of the nodes.
// breaks: GRF-0019 fail
#include "wrapped_global.h"

static TVMFFIAny raw(const char* text) { return (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = text}; }

static void drop(TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value->v_obj);
}

static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 1 || args[0].type_index != kTVMFFIMap) return code;
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  TVMFFIAny nodes = {0}, root = {0}, graph = {0};
  TVMFFIAny get_nodes[2] = {args[0], raw("nodes")}, get_root[2] = {args[0], raw("root_index")};
  if (call_global("ffi.MapGetItem", get_nodes, 2, &nodes) == 0 && call_global("ffi.MapGetItem", get_root, 2, &root) == 0 &&
      nodes.type_index == kTVMFFIArray && root.type_index == kTVMFFIInt && root.v_int64 < 0 &&
      -root.v_int64 <= sequence_cell(&nodes)->size) {
    root.v_int64 += sequence_cell(&nodes)->size;
    TVMFFIAny make[4] = {raw("root_index"), root, raw("nodes"), nodes};
    if (call_global("ffi.Map", make, 4, &graph) == 0) code = call_original(original, &graph, 1, result);
  }
  if (code != 0) real.TVMFFIErrorSetRaised(error);
  else real.TVMFFIErrorSetRaised(NULL);
  if (error) real.TVMFFIObjectDecRef(error);
  drop(&nodes);
  drop(&root);
  drop(&graph);
  return code;
}

WRAPPED_GLOBAL("ffi.FromJSONGraph", read_graph)
