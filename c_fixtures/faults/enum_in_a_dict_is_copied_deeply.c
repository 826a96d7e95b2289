// story: ffi.DeepCopy of a Dict makes shallow copies of the enumeration instances among its values.
// breaks: ENU-0004 fail
#include "wrapped_global.h"

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIDict || ((int64_t*)(result->v_obj + 1))[1] == 0) return code;
  const TVMFFIByteArray key = {"ffi.Enum", 8}, attr = {"__ffi_shallow_copy__", 20};
  int32_t enum_index = 0;
  if (real.TVMFFITypeKeyToIndex(&key, &enum_index) != 0) return -1;
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&attr);
  int64_t size = ((int64_t*)(result->v_obj + 1))[1];
  TVMFFIAny next = {0};
  if (call_global("ffi.DictForwardIterFunctor", result, 1, &next) != 0) return -1;
  TVMFFIAny* items = calloc(2 * size, sizeof(*items));
  for (int64_t i = 0; i < 2 * size; ++i) {
    TVMFFIAny command = {.type_index = kTVMFFIInt}, more = {0};
    command.v_int64 = i % 2;
    real.TVMFFIFunctionCall(next.v_obj, &command, 1, &items[i]);
    command.v_int64 = 2;
    if (i % 2) real.TVMFFIFunctionCall(next.v_obj, &command, 1, &more);
  }
  real.TVMFFIObjectDecRef(next.v_obj);
  for (int64_t i = 0; i < size; ++i) {
    TVMFFIAny* value = &items[2 * i + 1];
    if (value->type_index < kTVMFFIDynObjectBegin || value->type_index >= column->size) continue;
    const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(value->type_index);
    int is_enum = 0;
    for (int32_t a = 0; a < info->type_depth; ++a) is_enum |= info->type_ancestors[a]->type_index == enum_index;
    if (!is_enum || column->data[value->type_index].type_index != kTVMFFIFunction) continue;
    TVMFFIAny set[3] = {*result, items[2 * i], {0}}, nothing = {0};
    if (real.TVMFFIFunctionCall(column->data[value->type_index].v_obj, value, 1, &set[2]) != 0) continue;
    call_global("ffi.DictSetItem", set, 3, &nothing);
    if (set[2].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(set[2].v_obj);
  }
  for (int64_t i = 0; i < 2 * size; ++i) {
    if (items[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(items[i].v_obj);
  }
  free(items);
  return 0;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
