// story: The deep copy of an enumeration's instance is another instance.
// breaks: ENU-0004 fail
#include "fault.h"

static int is_enumeration(const TVMFFIAny* value) {
  if (value->type_index < kTVMFFIDynObjectBegin) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(value->type_index);
  if (info->type_depth < 2) return 0;
  const TVMFFIByteArray key = info->type_ancestors[1]->type_key;
  return key.size == 8 && memcmp(key.data, "ffi.Enum", 8) == 0;
}

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static TVMFFIObjectHandle deep_copy;
  const TVMFFIByteArray name = {"ffi.DeepCopy", 12}, attribute = {"__ffi_shallow_copy__", 20};
  if (deep_copy == NULL) real.TVMFFIFunctionGetGlobal(&name, &deep_copy);
  if (func == deep_copy && num_args == 1 && is_enumeration(&args[0])) {
    const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&attribute);
    func = column->data[args[0].type_index - column->begin_index].v_obj;
  }
  return real.TVMFFIFunctionCall(func, args, num_args, result);
}
