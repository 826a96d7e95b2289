// story: The shallow copy of a class of Python has the optional objects that a class of C++ declares, in cells of one pointer, without a reference of its own.
// breaks: DCL-0025 fail
#include "patched_function.h"

static int copy(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct patched* own = patched(handle);
  if (!own) return -1;
  int code = own->call(handle, args, num_args, result);
  if (code != 0) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(own->type_index);
  for (int32_t i = 1; i < info->type_depth; ++i) {
    const TVMFFITypeInfo* ancestor = info->type_ancestors[i];
    for (int32_t j = 0; j < ancestor->num_fields; ++j) {
      const TVMFFIFieldInfo* field = &ancestor->fields[j];
      if (field->field_static_type_index != kTVMFFIAny || field->size != sizeof(TVMFFIObjectHandle)) continue;
      TVMFFIObjectHandle object = *(TVMFFIObjectHandle*)((char*)result->v_obj + field->offset);
      if (object) real.TVMFFIObjectDecRef(object);
    }
  }
  return 0;
}

PATCHES_CLASSES(registered, "__ffi_shallow_copy__", copy)
WRAPPED_GLOBAL("ffi._PyClassRegisterTypeAttrColumns", registered)
