// story: ffi.GetFirstStructuralMismatch finds none between two instances of an enumeration with the same fields, though ffi.StructuralEqual tells them apart.
// breaks: ENU-0006 fail
#include "wrapped_global.h"
static int is_enumeration(const TVMFFIAny* value) {
  if (value->type_index < kTVMFFIDynObjectBegin) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(value->type_index);
  for (int32_t i = 0; info && i < info->type_depth; ++i) {
    if (is(&info->type_ancestors[i]->type_key, "ffi.Enum")) return 1;
  }
  return 0;
}
static int mismatch(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 4 && args[0].type_index == args[1].type_index && is_enumeration(&args[0])) {
    const int64_t *left = (int64_t*)(args[0].v_obj + 1), *right = (int64_t*)(args[1].v_obj + 1);
    TVMFFIByteArray one = text_of((TVMFFIAny*)(left + 1)), other = text_of((TVMFFIAny*)(right + 1));
    if (*left == *right && one.size == other.size && memcmp(one.data, other.data, one.size) == 0) {
      *result = (TVMFFIAny){.type_index = kTVMFFINone};
      return 0;
    }
  }
  return call_original(original, args, num_args, result);
}
WRAPPED_GLOBAL("ffi.GetFirstStructuralMismatch", mismatch)
