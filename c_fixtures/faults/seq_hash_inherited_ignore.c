// story: ffi.StructuralHash counts inherited fields that are flagged SEqHashIgnore, and skips only the type's own.
// breaks: SEQ-0007 fail
#include "wrapped_global.h"
static int hash(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n != 3 || args[0].type_index < kTVMFFIDynObjectBegin) return call_original(self, args, n, result);
  TVMFFIFieldInfo* off[16];
  int k = 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(args[0].type_index);
  for (int d = 1; d < info->type_depth; ++d) {
    const TVMFFITypeInfo* t = info->type_ancestors[d];
    for (int i = 0; i < t->num_fields && k < 16; ++i)
      if (t->fields[i].flags & kTVMFFIFieldFlagBitMaskSEqHashIgnore) off[k++] = (TVMFFIFieldInfo*)&t->fields[i];
  }
  for (int i = 0; i < k; ++i) off[i]->flags &= ~(int64_t)kTVMFFIFieldFlagBitMaskSEqHashIgnore;
  int code = call_original(self, args, n, result);
  for (int i = 0; i < k; ++i) off[i]->flags |= kTVMFFIFieldFlagBitMaskSEqHashIgnore;
  return code;
}
WRAPPED_GLOBAL("ffi.StructuralHash", hash)
