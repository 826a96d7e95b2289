// story: ffi.ToJSONGraph refuses each object whose type has a field of the name of an inherited one.
// breaks: GRF-0014 fail
#include "wrapped_global.h"

static int hides(const TVMFFITypeInfo* info, const TVMFFITypeInfo* ancestor) {
  for (int32_t i = 0; i < info->num_fields; ++i) {
    for (int32_t j = 0; j < ancestor->num_fields; ++j) {
      const TVMFFIByteArray one = info->fields[i].name, other = ancestor->fields[j].name;
      if (one.size == other.size && memcmp(one.data, other.data, one.size) == 0) return 1;
    }
  }
  return 0;
}

static int write_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_object = num_args > 0 && args[0].type_index >= kTVMFFIDynObjectBegin;
  const TVMFFITypeInfo* info = is_object ? real.TVMFFIGetTypeInfo(args[0].type_index) : NULL;
  for (int32_t i = 0; info && i < info->type_depth; ++i) {
    if (hides(info, info->type_ancestors[i])) return refuse("RuntimeError", "Cannot serialize a field that hides another");
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ToJSONGraph", write_graph)
