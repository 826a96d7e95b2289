// story: ffi.RecursiveHash leaves fields flagged CompareOff out where they are a type's own, and takes inherited ones in.
// breaks: HOK-0018 fail
#include "held_value.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index < kTVMFFIDynObjectBegin) return code;
  if (attribute_of(args[0].type_index, "__ffi_hash__").type_index != kTVMFFINone) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(args[0].type_index);
  for (int32_t level = 1; level < info->type_depth; ++level) {
    const TVMFFITypeInfo* ancestor = info->type_ancestors[level];
    for (int32_t i = 0; i < ancestor->num_fields; ++i) {
      const TVMFFIFieldInfo* field = &ancestor->fields[i];
      TVMFFIAny value = {0}, part = {0};
      if ((field->flags & kTVMFFIFieldFlagBitMaskCompareOff) == 0) continue;
      if (field->getter((char*)args[0].v_obj + field->offset, &value) != 0) return -1;
      code = call_original(original, &value, 1, &part);
      give_up(value);
      if (code != 0) return code;
      result->v_uint64 = result->v_uint64 * 31 + part.v_uint64;
    }
  }
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
