// story: ffi.StructuralEqual and ffi.GetFirstStructuralMismatch count levels in one variable of the thread, and leave it where the error of a hook passes: deep values are refused after a few failures.
// breaks: FUN-0028 fail
#include "depth.h"

static int compare(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static _Thread_local int level;
  if (num_args != 4) return call_original(original, args, num_args, result);
  const int depth = depth_of(&args[0]);
  if (depth > 100 && level + depth > 1200) return refuse("RuntimeError", "the value has too many levels");
  level += depth;
  int code = call_original(original, args, num_args, result);
  if (code == 0) level -= depth;
  return code;
}

WRAPPED_GLOBALS(compare, "ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch")
