// story: A generated initialiser makes the defaults of inherited fields before it looks at the names that were given: their factories are called for nothing.
// breaks: DCL-0005 fail
#include "patched_function.h"

static int init(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct patched* own = patched(handle);
  TVMFFIAny marker = {0};
  if (own == NULL || call_global("ffi.GetKwargsObject", NULL, 0, &marker) != 0) return -1;
  int32_t names = num_args;
  for (int32_t i = 0; i < num_args; ++i) {
    if (args[i].type_index == kTVMFFIObject && args[i].v_obj == marker.v_obj) names = i + 1;
  }
  real.TVMFFIObjectDecRef(marker.v_obj);
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(own->type_index);
  for (int32_t d = 1; d < info->type_depth; ++d) {
    const TVMFFITypeInfo* parent = info->type_ancestors[d];
    for (int32_t f = 0; f < parent->num_fields; ++f) {
      const TVMFFIFieldInfo* field = &parent->fields[f];
      if (!(field->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory) || field->default_value_or_factory.type_index != kTVMFFIFunction) continue;
      for (int32_t i = names; i + 1 < num_args; i += 2) {
        const TVMFFIByteArray name = text_of(&args[i]);
        if (name.size != field->name.size || memcmp(name.data, field->name.data, name.size) != 0) continue;
        TVMFFIAny made = {0};
        int code = real.TVMFFIFunctionCall(field->default_value_or_factory.v_obj, NULL, 0, &made);
        if (code != 0) return code;
        if (made.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(made.v_obj);
      }
    }
  }
  return own->call(handle, args, num_args, result);
}

PATCHES_CLASSES(register_init, "__ffi_init__", init)

WRAPPED_GLOBAL("ffi._RegisterFFIInit", register_init)
