// story: Maps are structurally equal if they have as many entries.
// breaks: SEQ-0004 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIMap || args[1].type_index != kTVMFFIMap) return code;
  result->v_int64 = ((uint64_t*)args[0].v_obj)[4] == ((uint64_t*)args[1].v_obj)[4];
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", callee)
