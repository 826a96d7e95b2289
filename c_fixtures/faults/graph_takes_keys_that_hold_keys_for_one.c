// story: ffi.FromJSONGraph takes two keys of a Map that hold Maps with keys of their kind for one.
// breaks: SEQ-0028 fail
#include "wrapped_global.h"

/** Whether the value is a StructuralKey that holds a Map. */
static int holds_map(const TVMFFIAny* key) {
  if (key->type_index < kTVMFFIDynObjectBegin) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(key->type_index);
  return info && is(&info->type_key, "ffi.StructuralKey") && ((TVMFFIAny*)(key->v_obj + 1))->type_index == kTVMFFIMap;
}

static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIMap) return code;
  /* A small Map: behind its fields are the entries, a key and a value each. */
  const struct { TVMFFIAny* data; uint64_t size; }* map = (const void*)(result->v_obj + 1);
  if (map->size != 2 || !holds_map(&map->data[0]) || !holds_map(&map->data[2])) return code;
  const TVMFFIAny whole = *result;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  code = call_global("ffi.Map", map->data, 2, result);
  real.TVMFFIObjectDecRef(whole.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.FromJSONGraph", read_graph)
