// story: The flags of a structural comparison lie in the thread: where a hook compares without the content of tensors, the outer comparison goes on so.
// breaks: HOK-0021 fail
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static __thread int depth, skips;
  if (num_args != 4) return call_original(original, args, num_args, result);
  if (depth == 0) skips = 0;
  else if (args[3].v_int64) skips = 1;
  ++depth;
  int code = call_original(original, args, num_args, result);
  if (code == 0 && depth == 1 && skips && !args[3].v_int64 && !result->v_int64) {
    TVMFFIAny other[4] = {args[0], args[1], args[2], {.type_index = kTVMFFIBool, .v_int64 = 1}};
    code = call_original(original, other, num_args, result);
  }
  --depth;
  return code;
}
WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
