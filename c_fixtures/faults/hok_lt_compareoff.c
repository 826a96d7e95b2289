// story: ffi.RecursiveLt and ffi.RecursiveGt compare the fields of an object that are flagged CompareOff too.
// breaks: HOK-0011 fail
#include "wrapped_global.h"
static int order(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n != 2 || args[0].type_index < kTVMFFIDynObjectBegin || args[1].type_index != args[0].type_index) return call_original(self, args, n, result);
  TVMFFIFieldInfo* off[16];
  int k = 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(args[0].type_index);
  for (int i = 0; i < info->num_fields && k < 16; ++i)
    if (info->fields[i].flags & kTVMFFIFieldFlagBitMaskCompareOff) off[k++] = (TVMFFIFieldInfo*)&info->fields[i];
  for (int i = 0; i < k; ++i) off[i]->flags &= ~(int64_t)kTVMFFIFieldFlagBitMaskCompareOff;
  int code = call_original(self, args, n, result);
  for (int i = 0; i < k; ++i) off[i]->flags |= kTVMFFIFieldFlagBitMaskCompareOff;
  return code;
}
WRAPPED_GLOBALS(order, "ffi.RecursiveLt", "ffi.RecursiveGt")
