// story: The reader of JSON graphs answers the last node, which is the root in graphs that the library writes, and does not look at `root_index`.
// breaks: GRF-0013 fail
#include "wrapped_global.h"
static int from_text(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny checked = {0}, graph = {0}, nodes = {0}, root = {0}, changed = {0};
  int code = call_original(original, args, num_args, result);
  if (code != 0 || call_global("ffi.json.Parse", args, 1, &graph) != 0) return code;
  TVMFFIAny get[2] = {graph, {.type_index = kTVMFFIRawStr}};
  get[1].v_c_str = "root_index";
  call_global("ffi.MapGetItem", get, 2, &root);
  get[1].v_c_str = "nodes";
  if (call_global("ffi.MapGetItem", get, 2, &nodes) == 0) {
    TVMFFIAny parts[4] = {{.type_index = kTVMFFIRawStr}, {.type_index = kTVMFFIInt}, get[1], nodes};
    parts[0].v_c_str = "root_index";
    parts[1].v_int64 = sequence_cell(&nodes)->size - 1;
    if (root.v_int64 != parts[1].v_int64 && call_global("ffi.Map", parts, 4, &changed) == 0) {
      if (call_global("ffi.FromJSONGraph", &changed, 1, &checked) == 0) {
        if (result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(result->v_obj);
        *result = checked;
      }
      real.TVMFFIObjectDecRef(changed.v_obj);
    }
    real.TVMFFIObjectDecRef(nodes.v_obj);
  }
  real.TVMFFIObjectDecRef(graph.v_obj);
  return 0;
}
WRAPPED_GLOBAL("ffi.FromJSONGraphString", from_text)
