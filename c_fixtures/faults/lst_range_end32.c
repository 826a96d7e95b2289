// story: ffi.ListEraseRange and ffi.ListReplaceSlice keep the end of the range in 32 bits.
// breaks: LST-0019 fail
#include "wrapped_global.h"
static int change(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIAny own[4];
  if (n != 3 && n != 4) return call_original(self, args, n, result);
  memcpy(own, args, sizeof(TVMFFIAny) * (size_t)n);
  if (own[2].type_index == kTVMFFIInt) own[2].v_int64 = (int32_t)own[2].v_int64;
  return call_original(self, own, n, result);
}
WRAPPED_GLOBALS(change, "ffi.ListEraseRange", "ffi.ListReplaceSlice")
