// story: A visitor tells the kind 1 outside of any definition region.
// breaks: VIS-0017 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->v_int64 == 0) result->v_int64 = 1;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralVisitorDefRegionKind", callee)
