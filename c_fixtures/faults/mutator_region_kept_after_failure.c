// story: ffi.StructuralMutatorWithDefRegionKind puts the mutator's kind of region back when its function returns, but not when it fails.
// breaks: VIS-0036 fail
#include "wrapped_global.h"
static int with_kind(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int32_t* kind = NULL;
  if (num_args == 3 && args[0].type_index >= kTVMFFIDynObjectBegin && args[1].type_index == kTVMFFIInt &&
      args[2].type_index == kTVMFFIFunction) {
    kind = (int32_t*)((void**)(args[0].v_obj + 1) + 1);
  }
  int code = call_original(original, args, num_args, result);
  if (code != 0 && kind && *kind != kTVMFFIDefRegionKindPattern) *kind = (int32_t)args[1].v_int64;
  return code;
}
WRAPPED_GLOBAL("ffi.StructuralMutatorWithDefRegionKind", with_kind)
