// story: When free variables are mapped, ffi.StructuralEqual takes two instances of an enumeration with the same indices for equal, though they are not one.
// breaks: ENU-0006 fail
#include "wrapped_global.h"
static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 4 || args[2].v_int64 == 0 || args[0].type_index < kTVMFFIDynObjectBegin || args[0].type_index != args[1].type_index) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(args[0].type_index);
  int is_enum = is(&info->type_key, "ffi.Enum");
  for (int32_t i = 0; i < info->type_depth; ++i) is_enum |= is(&info->type_ancestors[i]->type_key, "ffi.Enum");
  if (!is_enum) return code;
  const char *left = (const char*)args[0].v_obj, *right = (const char*)args[1].v_obj;
  const TVMFFIByteArray one = text_of((const TVMFFIAny*)(left + 32)), other = text_of((const TVMFFIAny*)(right + 32));
  if (memcmp(left + 24, right + 24, 8) == 0 && one.size == other.size && memcmp(one.data, other.data, one.size) == 0) result->v_int64 = 1;
  return 0;
}
WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
