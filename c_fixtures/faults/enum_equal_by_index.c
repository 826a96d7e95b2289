// story: ffi.StructuralEqual takes two instances of one enumeration for equal when they have the same integer index.
// breaks: ENU-0006 fail
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index < 128 || args[0].type_index != args[1].type_index) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(args[0].type_index);
  for (int i = 1; i < info->type_depth; ++i) {
    TVMFFIByteArray key = info->type_ancestors[i]->type_key;
    if (key.size == 8 && memcmp(key.data, "ffi.Enum", 8) == 0) {
      result->v_int64 = *(int64_t*)(args[0].v_obj + 1) == *(int64_t*)(args[1].v_obj + 1);
    }
  }
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
