// story: ffi.StructuralEqual takes two instances of one enumeration for equal when they have the same string index.
// breaks: ENU-0006 fail
#include "wrapped_global.h"
static int is_enum(const TVMFFIAny* value) {
  if (value->type_index < kTVMFFIDynObjectBegin) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(value->type_index);
  return is(&info->type_key, "ffi.Enum") || (info->type_depth > 1 && is(&info->type_ancestors[1]->type_key, "ffi.Enum"));
}
static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 4 || result->v_int64 || args[0].type_index != args[1].type_index || !is_enum(&args[0])) return code;
  TVMFFIByteArray left = text_of((TVMFFIAny*)((char*)args[0].v_obj + 32)), right = text_of((TVMFFIAny*)((char*)args[1].v_obj + 32));
  result->v_int64 = left.size == right.size && memcmp(left.data, right.data, left.size) == 0;
  return 0;
}
WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
