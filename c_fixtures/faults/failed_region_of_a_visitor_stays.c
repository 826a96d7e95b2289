// story: When the function that ffi.StructuralVisitorWithDefRegionKind runs fails, the visitor stays in the region.
// breaks: VIS-0036 fail
#include "wrapped_global.h"

static int with_region(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 && num_args == 3 && args[0].type_index >= kTVMFFIDynObjectBegin && args[1].type_index == kTVMFFIInt &&
      args[2].type_index == kTVMFFIFunction && is(&real.TVMFFIGetTypeInfo(args[0].type_index)->type_key, "ffi.StructuralVisitor")) {
    int32_t* kind = (int32_t*)((char*)args[0].v_obj + 32);
    if (*kind != kTVMFFIDefRegionKindPattern) *kind = (int32_t)args[1].v_int64;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralVisitorWithDefRegionKind", with_region)
