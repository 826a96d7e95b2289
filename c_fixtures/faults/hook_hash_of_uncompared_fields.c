// story: The recursive hash looks at fields that recursive equality leaves out.
// breaks: HOK-0018 fail
#include "wrapped_global.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index < kTVMFFIDynObjectBegin) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(args[0].type_index);
  for (int32_t i = 0; i < info->num_fields; ++i) {
    const TVMFFIFieldInfo* field = &info->fields[i];
    TVMFFIAny value = {0};
    if ((field->flags & kTVMFFIFieldFlagBitMaskCompareOff) == 0) continue;
    if (field->getter((char*)args[0].v_obj + field->offset, &value) != 0) return -1;
    result->v_int64 += value.v_int64;
    if (value.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value.v_obj);
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
