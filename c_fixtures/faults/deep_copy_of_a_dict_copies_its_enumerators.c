// story: A deep copy of a Dict copies instances of an enumeration among its values, for it makes new values entry by entry.
// breaks: ENU-0004 fail
#include "map_dense_cell.h"
#include "wrapped_global.h"

static int is_enum(const TVMFFIAny* value) {
  if (value->type_index < kTVMFFIDynObjectBegin) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(value->type_index);
  return info->type_depth >= 2 && is(&info->type_ancestors[1]->type_key, "ffi.Enum");
}

static void copy_enum(TVMFFIAny* value) {
  const TVMFFITypeInfo* info = is_enum(value) ? real.TVMFFIGetTypeInfo(value->type_index) : NULL;
  TVMFFIObjectHandle other = NULL;
  if (!info || !info->metadata || !info->metadata->creator || info->metadata->creator(&other) != 0) return;
  TVMFFIObject* old = value->v_obj;
  *(int64_t*)((char*)other + 24) = *(int64_t*)((char*)old + 24);
  real.TVMFFIAnyViewToOwnedAny((TVMFFIAny*)((char*)old + 32), (TVMFFIAny*)((char*)other + 32));
  value->v_obj = other;
  real.TVMFFIObjectDecRef(old);
}

static int deep_copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIDict) return code;
  const struct map_cell* cell = map_cell(result);
  if (is_small(cell)) {
    for (uint64_t i = 0; i < cell->size; ++i) copy_enum(&cell->data[2 * i + 1]);
  } else {
    for (uint64_t i = 0; i < cell->slots; ++i) {
      if (*dense_metadata(result, i) != 0xFF) copy_enum(&dense_item(result, i)->value);
    }
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.DeepCopy", deep_copy)
