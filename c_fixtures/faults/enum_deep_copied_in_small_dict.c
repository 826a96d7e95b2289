// story: ffi.DeepCopy makes another instance of an enumeration that is a value of a small Dict, while it answers one in an Array as it is.
// breaks: ENU-0004 fail
#include "wrapped_global.h"

struct map { TVMFFIObject header; TVMFFIAny* data; uint64_t size, slots; };

static int is_enum(int32_t type_index) {
  const TVMFFITypeInfo* info = type_index >= kTVMFFIDynObjectBegin ? real.TVMFFIGetTypeInfo(type_index) : NULL;
  for (int i = 1; info && i < info->type_depth; ++i) {
    TVMFFIByteArray key = info->type_ancestors[i]->type_key;
    if (key.size == 8 && memcmp(key.data, "ffi.Enum", 8) == 0) return info->metadata && info->metadata->total_size == 48;
  }
  return 0;
}

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIDict) return code;
  struct map* map = (struct map*)result->v_obj;
  for (uint64_t i = 0; (map->slots >> 63) && i < map->size; ++i) {
    TVMFFIAny* value = &map->data[2 * i + 1];
    if (!is_enum(value->type_index)) continue;
    TVMFFIObjectHandle other;
    if (real.TVMFFIGetTypeInfo(value->type_index)->metadata->creator(&other) != 0) continue;
    char* from = (char*)value->v_obj;
    *(int64_t*)((char*)other + 24) = *(int64_t*)(from + 24);
    real.TVMFFIAnyViewToOwnedAny((TVMFFIAny*)(from + 32), (TVMFFIAny*)((char*)other + 32));
    real.TVMFFIObjectDecRef(value->v_obj);
    value->v_obj = other;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
