// story: A region that is left by an error puts the visitor out of all regions, and not into the one that it was in before.
// breaks: VIS-0036 fail
#include "wrapped_global.h"

static int with_region(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int code = call_original(original, args, num_args, result);
  if (code != 0 && num_args == 3 && args[0].type_index >= kTVMFFIDynObjectBegin) *(int32_t*)((char*)args[0].v_obj + 32) = 0;
  return code;
}

WRAPPED_GLOBALS(with_region, "ffi.StructuralVisitorWithDefRegionKind", "ffi.StructuralMutatorWithDefRegionKind")

