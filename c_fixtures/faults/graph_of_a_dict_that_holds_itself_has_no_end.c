// story: Whether a node of a JSON graph contains itself is looked for in Lists and Arrays, and not in Dicts.
// breaks: GRF-0020 crash
#include "wrapped_global.h"

static TVMFFIAny get(const TVMFFIAny* map, const char* key) {
  TVMFFIAny args[2] = {*map, {.type_index = kTVMFFIRawStr, .v_c_str = key}}, count = {0}, value = {0};
  if (map->type_index != kTVMFFIMap && map->type_index != kTVMFFIDict) return value;
  const int is_map = map->type_index == kTVMFFIMap;
  call_global(is_map ? "ffi.MapCount" : "ffi.DictCount", args, 2, &count);
  if (count.v_int64 == 0) return value;
  call_global(is_map ? "ffi.MapGetItem" : "ffi.DictGetItem", args, 2, &value);
  if (value.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value.v_obj);
  return value;
}

static int is_sequence(const TVMFFIAny* value) {
  return value->type_index == kTVMFFIArray || value->type_index == kTVMFFIList;
}

static __attribute__((noinline)) int read_node(volatile char* caller) {
  volatile char frame[4096];
  frame[0] = caller ? caller[0] : 1;
  return caller == frame ? 0 : read_node(frame) + frame[0];
}

static void read_dicts(const TVMFFIAny* graph) {
  TVMFFIAny nodes = get(graph, "nodes");
  if (!is_sequence(&nodes)) return;
  for (int64_t i = 0; i < sequence_cell(&nodes)->size; ++i) {
    const TVMFFIAny* node = (TVMFFIAny*)sequence_cell(&nodes)->data + i;
    TVMFFIAny type = get(node, "type"), data = get(node, "data");
    TVMFFIByteArray text = text_of(&type);
    if (!is(&text, "ffi.Dict") || !is_sequence(&data)) continue;
    for (int64_t k = 1; k < sequence_cell(&data)->size; k += 2) {
      const TVMFFIAny* item = (TVMFFIAny*)sequence_cell(&data)->data + k;
      if (item->type_index == kTVMFFIInt && item->v_int64 == i) read_node(NULL);
    }
  }
}

static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1) {
    TVMFFIByteArray text = text_of(&args[0]);
    TVMFFIAny parsed = {0};
    if (text.size == 0) {
      read_dicts(&args[0]);
    } else if (call_global("ffi.json.Parse", args, 1, &parsed) != 0) {
      TVMFFIObjectHandle error = NULL;
      real.TVMFFIErrorMoveFromRaised(&error);
      if (error) real.TVMFFIObjectDecRef(error);
    } else {
      read_dicts(&parsed);
      if (parsed.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(parsed.v_obj);
    }
  }
  return call_original(original, args, num_args, result);
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static TVMFFIObjectHandle wrappers[2];
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  if (is(name, "ffi.FromJSONGraph")) return wrap_found(&wrappers[0], read_graph, out);
  if (is(name, "ffi.FromJSONGraphString")) return wrap_found(&wrappers[1], read_graph, out);
  return 0;
}
