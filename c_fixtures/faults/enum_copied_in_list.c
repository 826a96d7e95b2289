// story: ffi.DeepCopy leaves an enumeration's instance as it is, but copies one that is an element of a List.
// breaks: ENU-0004 fail
#include "wrapped_global.h"

static int deep_copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIList) return code;
  TVMFFIByteArray key = {"ffi.Enum", 8}, copy = {"__ffi_shallow_copy__", 20};
  int32_t enumeration;
  if (real.TVMFFITypeKeyToIndex(&key, &enumeration) != 0) return -1;
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&copy);
  TVMFFISeqCell* cell = sequence_cell(result);
  for (int64_t i = 0; i < cell->size; i++) {
    TVMFFIAny* element = (TVMFFIAny*)cell->data + i;
    if (element->type_index < kTVMFFIDynObjectBegin) continue;
    const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(element->type_index);
    if (info->type_depth < 2 || info->type_ancestors[1]->type_index != enumeration) continue;
    for (int d = info->type_depth; d >= 1; d--) {
      int32_t type = d == info->type_depth ? element->type_index : info->type_ancestors[d]->type_index;
      if (type >= column->size || column->data[type].type_index != kTVMFFIFunction) continue;
      TVMFFIAny made = {0}, one = *element;
      if (real.TVMFFIFunctionCall(column->data[type].v_obj, &one, 1, &made) != 0) return -1;
      made.v_obj->type_index = made.type_index = element->type_index;
      real.TVMFFIObjectDecRef(element->v_obj);
      *element = made;
      break;
    }
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.DeepCopy", deep_copy)
