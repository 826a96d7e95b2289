// story: ffi.DeepCopy answers an instance of an enumeration as it is, but copies those of ffi.Enum itself among the elements of a List.
// breaks: ENU-0004 fail
#include "wrapped_global.h"

static int is_enum(const TVMFFIAny* value) {
  static const TVMFFIByteArray key = {"ffi.Enum", 8};
  int32_t index;
  return value->type_index >= kTVMFFIDynObjectBegin && real.TVMFFITypeKeyToIndex(&key, &index) == 0 && value->type_index == index;
}

static int copy(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result);
  if (code != 0 || n != 1 || result->type_index != kTVMFFIList) return code;
  TVMFFIAny* items = sequence_cell(result)->data;
  static const TVMFFIByteArray name = {"__ffi_shallow_copy__", 20};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  for (int64_t i = 0; i < sequence_cell(result)->size; ++i) {
    if (!is_enum(&items[i])) continue;
    TVMFFIAny made = {0};
    if (real.TVMFFIFunctionCall(column->data[items[i].type_index - column->begin_index].v_obj, &items[i], 1, &made) != 0) return -1;
    real.TVMFFIObjectDecRef(items[i].v_obj);
    items[i] = made;
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
