// story: ffi.StructuralVisitorWithDefRegionKind puts a visitor back into no region and not into the one that it was in before.
// breaks: VIS-0036 fail
#include "wrapped_global.h"
static int with_kind(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (num_args == 3 && code == 0) *(int32_t*)((char*)args[0].v_obj + 32) = 0;
  return code;
}
WRAPPED_GLOBALS(with_kind, "ffi.StructuralVisitorWithDefRegionKind")
