// story: A JSON graph whose root_index is negative is read from the last node backwards.
// breaks: GRF-0019 fail
#include "wrapped_global.h"
static int read_graph(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIAny value = {0}, key[2], root = {0}, nodes = {0}, fixed = {0};
  int text = n == 1 && (args[0].type_index == 8 || args[0].type_index == 11 || args[0].type_index == 65), changed = 0;
  if (n != 1) return call_original(self, args, n, result);
  if (text ? call_global("ffi.json.Parse", args, 1, &value) : real.TVMFFIAnyViewToOwnedAny(args, &value)) {
    real.TVMFFIErrorSetRaised(NULL);
    return call_original(self, args, n, result);
  }
  if (value.type_index == kTVMFFIMap) {
    key[0] = value;
    key[1] = (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = "root_index"};
    if (call_global("ffi.MapGetItemOrMissing", key, 2, &root) == 0 && root.type_index == kTVMFFIInt && root.v_int64 < 0) {
      key[1].v_c_str = "nodes";
      if (call_global("ffi.MapGetItemOrMissing", key, 2, &nodes) == 0 && nodes.type_index == kTVMFFIArray && sequence_cell(&nodes)->size >= -root.v_int64) {
        TVMFFIAny parts[4] = {{.type_index = kTVMFFIRawStr, .v_c_str = "root_index"}, {.type_index = kTVMFFIInt, .v_int64 = root.v_int64 + sequence_cell(&nodes)->size}, key[1], nodes};
        changed = call_global("ffi.Map", parts, 4, &fixed) == 0;
      }
      if (nodes.type_index >= 64) real.TVMFFIObjectDecRef(nodes.v_obj);
    }
    if (root.type_index >= 64) real.TVMFFIObjectDecRef(root.v_obj);
  }
  if (value.type_index >= 64) real.TVMFFIObjectDecRef(value.v_obj);
  if (!changed) return call_original(self, args, n, result);
  int code = call_global("ffi.FromJSONGraph", &fixed, 1, result);
  real.TVMFFIObjectDecRef(fixed.v_obj);
  return code;
}
WRAPPED_GLOBALS(read_graph, "ffi.FromJSONGraph", "ffi.FromJSONGraphString")
