// story: A deep copy of an object keeps an Array in a field as it is, as Arrays never change, though a List may lie in it.
// breaks: REC-0016 fail
#include "wrapped_global.h"

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index < kTVMFFIDynObjectBegin || result->v_obj == args[0].v_obj) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(result->type_index);
  for (int32_t i = 0; i < info->num_fields; ++i) {
    const TVMFFIFieldInfo* field = &info->fields[i];
    TVMFFIAny value = {0};
    if (!field->setter || (field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)) continue;
    if (field->getter((char*)args[0].v_obj + field->offset, &value) != 0) continue;
    if (value.type_index == kTVMFFIArray) ((TVMFFIFieldSetter)field->setter)((char*)result->v_obj + field->offset, &value);
    if (value.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value.v_obj);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
