// story: ffi.DeepCopy answers an instance of an enumeration as it is, but copies one that is a value of a Dict.
// breaks: ENU-0004 fail
#include "map_dense_cell.h"
#include "wrapped_global.h"
static void copy_value(TVMFFIAny* value) {
  static const TVMFFIByteArray key = {"ffi.Enum", 8}, name = {"__ffi_shallow_copy__", 20};
  int32_t enumeration = 0, found;
  if (value->type_index < 128 || real.TVMFFITypeKeyToIndex(&key, &enumeration) != 0) return;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(value->type_index);
  found = info->type_index == enumeration || (info->type_depth > 1 && info->type_ancestors[1]->type_index == enumeration);
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  if (!found || value->type_index >= column->size || column->data[value->type_index].type_index != kTVMFFIFunction) return;
  TVMFFIAny copy = {0};
  if (call_original(column->data[value->type_index].v_obj, value, 1, &copy) != 0) return;
  real.TVMFFIObjectDecRef(value->v_obj);
  *value = copy;
}
static int deep_copy(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result);
  if (code != 0 || result->type_index != kTVMFFIDict) return code;
  const struct map_cell* cell = map_cell(result);
  for (uint64_t i = 0; is_small(cell) && i < cell->size; ++i) copy_value(&cell->data[2 * i + 1]);
  for (uint64_t i = 0; is_dense(result) && i < cell->slots; ++i) {
    if (*dense_metadata(result, i) != 0xFF) copy_value(&dense_item(result, i)->value);
  }
  return 0;
}
WRAPPED_GLOBAL("ffi.DeepCopy", deep_copy)
