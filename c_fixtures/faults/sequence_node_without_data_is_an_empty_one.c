// story: A node of an Array or a List in a JSON graph that has no data is read as one without elements.
// breaks: GRF-0018 fail
#include "wrapped_global.h"

static TVMFFIAny text(const char* chars) { return (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = chars}; }

static void drop(const TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value->v_obj);
}

/** The value of a key, which the caller owns; None where there is none. */
static TVMFFIAny item(const TVMFFIAny* map, const char* key) {
  TVMFFIAny args[2] = {*map, text(key)}, count = {0}, value = {0};
  if (map->type_index != kTVMFFIMap || call_global("ffi.MapCount", args, 2, &count) != 0 || !count.v_int64) return value;
  call_global("ffi.MapGetItem", args, 2, &value);
  return value;
}

static int is_bare(const TVMFFIAny* node) {
  if (node->type_index != kTVMFFIMap) return 0;
  TVMFFIAny args[2] = {*node, text("data")}, count = {0}, type = item(node, "type");
  TVMFFIByteArray key = text_of(&type);
  const int is_sequence = is(&key, "ffi.Array") || is(&key, "ffi.List");
  drop(&type);
  return is_sequence && call_global("ffi.MapCount", args, 2, &count) == 0 && !count.v_int64;
}

static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny nodes = num_args == 1 ? item(&args[0], "nodes") : (TVMFFIAny){0};
  int64_t size = nodes.type_index == kTVMFFIArray ? sequence_cell(&nodes)->size : 0, bare = 0;
  const TVMFFIAny* all = size ? sequence_cell(&nodes)->data : NULL;
  for (int64_t i = 0; i < size; ++i) bare += is_bare(&all[i]);
  if (!bare || size > 1000000) {
    drop(&nodes);
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny empty = {0}, filled = {0}, root = item(&args[0], "root_index"), graph = {0};
  TVMFFIAny* given = calloc((size_t)size, sizeof(TVMFFIAny));
  call_global("ffi.Array", NULL, 0, &empty);
  for (int64_t i = 0; i < size; ++i) {
    if (!is_bare(&all[i])) {
      real.TVMFFIAnyViewToOwnedAny(&all[i], &given[i]);
      continue;
    }
    TVMFFIAny type = item(&all[i], "type"), entries[4] = {text("type"), type, text("data"), empty};
    call_global("ffi.Map", entries, 4, &given[i]);
    drop(&type);
  }
  call_global("ffi.Array", given, (int32_t)size, &filled);
  TVMFFIAny whole[4] = {text("nodes"), filled, text("root_index"), root};
  call_global("ffi.Map", whole, 4, &graph);
  int code = call_original(original, &graph, 1, result);
  for (int64_t i = 0; i < size; ++i) drop(&given[i]);
  free(given);
  drop(&graph), drop(&filled), drop(&empty), drop(&root), drop(&nodes);
  return code;
}

WRAPPED_GLOBAL("ffi.FromJSONGraph", read_graph)
