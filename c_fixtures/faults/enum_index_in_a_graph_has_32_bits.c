// story: The index of an enumeration's instance in a JSON graph is read as a 32-bit integer: 2^32 + 1 is taken for 1.
// breaks: ENU-0003 fail
#include "wrapped_global.h"

static TVMFFIAny* value_of(const TVMFFIAny* map, const char* key) {
  uint64_t* cell = (uint64_t*)(map->v_obj + 1);
  if (map->type_index != kTVMFFIMap || !(cell[2] >> 63)) return NULL;
  TVMFFIAny* entries = (TVMFFIAny*)cell[0];
  for (uint64_t i = 0; i < cell[1]; ++i) {
    TVMFFIByteArray text = text_of(&entries[2 * i]);
    if (is(&text, key)) return &entries[2 * i + 1];
  }
  return NULL;
}

static int is_enum(const TVMFFIAny* key) {
  const TVMFFIByteArray text = text_of(key), base = {"ffi.Enum", 8};
  int32_t index = 0, enum_index = 0;
  index = real.TVMFFITypeGetOrAllocIndex(&text, -1, 0, 0, 0, -2);
  if (index < 0 || real.TVMFFITypeKeyToIndex(&base, &enum_index) != 0) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(index);
  for (int32_t i = 0; i < info->type_depth; ++i) {
    if (info->type_ancestors[i]->type_index == enum_index) return 1;
  }
  return 0;
}

static int load(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny graph = {0};
  TVMFFIObjectHandle raised = NULL;
  if (num_args != 1) return call_original(original, args, num_args, result);
  if (call_global("ffi.json.Parse", args, 1, &graph) != 0) {
    real.TVMFFIErrorMoveFromRaised(&raised);
    if (raised) real.TVMFFIObjectDecRef(raised);
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny* nodes = graph.type_index == kTVMFFIMap ? value_of(&graph, "nodes") : NULL;
  int changed = 0;
  if (nodes && nodes->type_index == kTVMFFIArray) {
    const TVMFFISeqCell* cell = sequence_cell(nodes);
    for (int64_t i = 0; i < cell->size; ++i) {
      const TVMFFIAny* node = (TVMFFIAny*)cell->data + i;
      TVMFFIAny* type = node->type_index == kTVMFFIMap ? value_of(node, "type") : NULL;
      TVMFFIAny* data = type ? value_of(node, "data") : NULL;
      if (!data || data->type_index != kTVMFFIInt || data->v_int64 == (int32_t)data->v_int64 || !is_enum(type)) continue;
      data->v_int64 = (int32_t)data->v_int64;
      changed = 1;
    }
  }
  int code = changed ? call_global("ffi.FromJSONGraph", &graph, 1, result) : call_original(original, args, num_args, result);
  if (graph.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(graph.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.FromJSONGraphString", load)
