// story: The shallow copy of a class of ffi._PyClassRegisterTypeAttrColumns copies the fields of the class itself; those that it inherits stay empty.
// breaks: DCL-0025 fail
#include "patched_function.h"
static int copy(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct patched* known = patched(handle);
  if (!known) return -1;
  int code = known->call(handle, args, num_args, result);
  if (code != 0) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(result->type_index);
  for (int32_t depth = 1; depth < info->type_depth; ++depth) {
    const TVMFFITypeInfo* of = info->type_ancestors[depth];
    for (int32_t i = 0; i < of->num_fields; ++i) {
      const TVMFFIFieldInfo* field = &of->fields[i];
      char* at = (char*)result->v_obj + field->offset;
      TVMFFIObjectHandle held = NULL;
      if (field->field_static_type_index == -1 && ((TVMFFIAny*)at)->type_index >= kTVMFFIStaticObjectBegin) held = ((TVMFFIAny*)at)->v_obj;
      if (field->field_static_type_index >= kTVMFFIStaticObjectBegin) held = *(TVMFFIObjectHandle*)at;
      memset(at, 0, (size_t)field->size);
      if (held) real.TVMFFIObjectDecRef(held);
    }
  }
  return 0;
}
PATCHES_CLASSES(register_class, "__ffi_shallow_copy__", copy)
WRAPPED_GLOBAL("ffi._PyClassRegisterTypeAttrColumns", register_class)
