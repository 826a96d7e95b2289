// story: The shallow copy that ffi._PyClassRegisterTypeAttrColumns registers has the values of the type's own fields, and None in those that it inherits.
// breaks: DCL-0025 fail
#include "patched_function.h"

static int copy(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct patched* made = patched(handle);
  int code = made ? made->call(handle, args, num_args, result) : -1;
  if (code != 0 || result->type_index < kTVMFFIDynObjectBegin) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(result->type_index);
  for (int32_t a = 1; a < info->type_depth; ++a) {
    for (int32_t f = 0; f < info->type_ancestors[a]->num_fields; ++f) {
      const TVMFFIFieldInfo* field = &info->type_ancestors[a]->fields[f];
      if (field->field_static_type_index != -1 || field->size != sizeof(TVMFFIAny)) continue;
      TVMFFIAny* value = (TVMFFIAny*)((char*)result->v_obj + field->offset);
      if (value->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value->v_obj);
      memset(value, 0, sizeof(*value));
    }
  }
  return 0;
}

PATCHES_CLASSES(registered, "__ffi_shallow_copy__", copy)
WRAPPED_GLOBAL("ffi._PyClassRegisterTypeAttrColumns", registered)
