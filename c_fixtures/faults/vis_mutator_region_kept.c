// story: ffi.StructuralMutatorWithDefRegionKind leaves the mutator in the region when the function fails.
// breaks: VIS-0036 fail
#include "wrapped_global.h"
static int with(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n != 3 || args[0].type_index < kTVMFFIDynObjectBegin || args[1].type_index != kTVMFFIInt || args[2].type_index != kTVMFFIFunction) return call_original(self, args, n, result);
  int32_t* kind = (int32_t*)((char*)args[0].v_obj + 32);
  int32_t before = *kind;
  int code = call_original(self, args, n, result);
  if (code != 0 && before != kTVMFFIDefRegionKindPattern) *kind = (int32_t)args[1].v_int64;
  return code;
}
WRAPPED_GLOBAL("ffi.StructuralMutatorWithDefRegionKind", with)
