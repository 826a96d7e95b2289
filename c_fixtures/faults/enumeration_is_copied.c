// story: The deep copy of an enumeration's instance is another instance.
// breaks: ENU-0004 fail
#include "wrapped_global.h"

static int is_enumeration(const TVMFFIAny* value) {
  if (value->type_index < kTVMFFIDynObjectBegin) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(value->type_index);
  return info->type_depth >= 2 && is(&info->type_ancestors[1]->type_key, "ffi.Enum");
}

static int deep_copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIByteArray attribute = {"__ffi_shallow_copy__", 20};
  if (num_args == 1 && is_enumeration(&args[0])) {
    const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&attribute);
    original = column->data[args[0].type_index - column->begin_index].v_obj;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.DeepCopy", deep_copy)
