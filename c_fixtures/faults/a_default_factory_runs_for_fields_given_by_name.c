// story: When a generated initialiser is called with names, it makes all defaults first and lets the named values replace them, so factories run for fields that are given.
// breaks: DCL-0005 fail
#include "patched_function.h"
static int init(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct patched* p = patched(handle);
  if (!p) return -1;
  TVMFFIAny mark = {0};
  if (call_global("ffi.GetKwargsObject", NULL, 0, &mark) != 0) return -1;
  int by_name = 0;
  for (int32_t i = 0; i < num_args; ++i) by_name |= args[i].type_index == mark.type_index && args[i].v_obj == mark.v_obj;
  real.TVMFFIObjectDecRef(mark.v_obj);
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(p->type_index);
  for (int32_t i = 0; by_name && i < info->num_fields; ++i) {
    const TVMFFIFieldInfo* field = &info->fields[i];
    if (!(field->flags & kTVMFFIFieldFlagBitMaskHasDefault) || !(field->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory)) continue;
    TVMFFIAny made = {0};
    if (call_original(field->default_value_or_factory.v_obj, NULL, 0, &made) != 0) return -1;
    if (made.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(made.v_obj);
  }
  return p->call(handle, args, num_args, result);
}
static int register_init(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && num_args == 1) patch_attribute((int32_t)args[0].v_int64, "__ffi_init__", init);
  return code;
}
WRAPPED_GLOBAL("ffi._RegisterFFIInit", register_init)
