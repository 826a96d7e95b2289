// story: ffi.StructuralEqual takes what lies more than thirty levels deep for equal.
// breaks: SEQ-0030 fail
#include "depth.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && num_args > 1 && depth_of(&args[0]) > 30 && depth_of(&args[0]) == depth_of(&args[1])) result->v_int64 = 1;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
