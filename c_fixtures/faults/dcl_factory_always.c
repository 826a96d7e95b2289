// story: A generated initialiser calls the default factories of all fields before it looks at its arguments, also of those that are given.
// breaks: DCL-0005 fail
#include "wrapped_global.h"
struct made { TVMFFIObjectHandle function; int32_t type_index; };
static int init(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct made* made = self;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(made->type_index);
  for (int32_t i = 0; num_args == info->num_fields && i < info->num_fields; ++i) {
    const TVMFFIFieldInfo* field = &info->fields[i];
    if (!(field->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory) || field->default_value_or_factory.type_index != kTVMFFIFunction) continue;
    TVMFFIAny value = {0};
    if (call_original(field->default_value_or_factory.v_obj, NULL, 0, &value) != 0) return -1;
    if (value.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value.v_obj);
  }
  return call_original(made->function, args, num_args, result);
}
static int register_init(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  const TVMFFIByteArray name = {"__ffi_init__", 12};
  TVMFFIAny* entry = (TVMFFIAny*)&real.TVMFFIGetTypeAttrColumn(&name)->data[args[0].v_int64];
  struct made* made = malloc(sizeof *made);
  *made = (struct made){entry->v_obj, (int32_t)args[0].v_int64};
  TVMFFIObjectHandle shown = NULL;
  if (entry->type_index == kTVMFFIFunction && real.TVMFFIFunctionCreate(made, init, NULL, &shown) == 0) entry->v_obj = shown;
  return 0;
}
WRAPPED_GLOBAL("ffi._RegisterFFIInit", register_init)
