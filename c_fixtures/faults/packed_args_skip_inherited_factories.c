// story: ffi.MakeObjectFromPackedArgs asks the default factories of the type's own fields alone: an inherited field that is left out becomes None.
// breaks: DCL-0017 fail
#include "wrapped_global.h"

static int is_given(const TVMFFIByteArray* name, const TVMFFIAny* args, int32_t num_args) {
  for (int32_t i = 1; i + 1 < num_args; i += 2) {
    const TVMFFIByteArray given = text_of(&args[i]);
    if (given.size == name->size && memcmp(given.data, name->data, given.size) == 0) return 1;
  }
  return 0;
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(result->type_index);
  for (int32_t level = 1; level < info->type_depth; ++level) {
    const TVMFFITypeInfo* ancestor = info->type_ancestors[level];
    for (int32_t i = 0; i < ancestor->num_fields; ++i) {
      const TVMFFIFieldInfo* field = &ancestor->fields[i];
      const TVMFFIAny none = {.type_index = kTVMFFINone};
      if ((field->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory) == 0 || field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) continue;
      if (!is_given(&field->name, args, num_args)) ((TVMFFIFieldSetter)field->setter)((char*)result->v_obj + field->offset, &none);
    }
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
