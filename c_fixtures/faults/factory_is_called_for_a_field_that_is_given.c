// story: A generated initialiser makes all defaults first: a default factory is called also where the field is given.
// breaks: DCL-0005 fail
#include "patched_function.h"

static int init(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct patched* made_by = patched(handle);
  if (!made_by) return -1;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(made_by->type_index);
  for (int32_t f = 0; f < info->num_fields && f < num_args; ++f) {
    const int64_t flags = info->fields[f].flags;
    if (!(flags & kTVMFFIFieldFlagBitMaskHasDefault) || !(flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory)) continue;
    if (flags & (kTVMFFIFieldFlagBitMaskInitOff | kTVMFFIFieldFlagBitMaskKwOnly)) continue;
    TVMFFIAny made = {0};
    int code = real.TVMFFIFunctionCall(info->fields[f].default_value_or_factory.v_obj, NULL, 0, &made);
    if (code != 0) return code;
    if (made.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(made.v_obj);
  }
  return made_by->call(handle, args, num_args, result);
}

PATCHES_CLASSES(registered, "__ffi_init__", init)

WRAPPED_GLOBAL("ffi._RegisterFFIInit", registered)
