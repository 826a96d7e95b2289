// story: The shallow copy of an instance of a class that was registered with ffi._PyClassRegisterTypeAttrColumns leaves the values of inherited fields at None.
// breaks: DCL-0025 fail
#include "patched_function.h"
static int copy(void* handle, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  const struct patched* own = patched(handle);
  if (!own) return -1;
  int code = own->call(handle, args, n, result);
  if (code != 0) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(own->type_index);
  for (int32_t i = 1; i < info->type_depth; ++i) {
    const TVMFFITypeInfo* ancestor = info->type_ancestors[i];
    for (int32_t j = 0; j < ancestor->num_fields; ++j) {
      const TVMFFIFieldInfo* field = &ancestor->fields[j];
      if (field->field_static_type_index != kTVMFFIAny || field->size != sizeof(TVMFFIAny)) continue;
      TVMFFIAny* value = (TVMFFIAny*)((char*)result->v_obj + field->offset);
      if (value->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value->v_obj);
      *value = (TVMFFIAny){0};
    }
  }
  return 0;
}
PATCHES_CLASSES(registered, "__ffi_shallow_copy__", copy)
WRAPPED_GLOBAL("ffi._PyClassRegisterTypeAttrColumns", registered)
