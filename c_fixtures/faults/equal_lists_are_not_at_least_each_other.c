// story: Whether an Array is at least another is whether it is greater.
// breaks: REC-0039 fail
#include "wrapped_global.h"

static int at_least(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIArray) return call_original(original, args, num_args, result);
  return call_global("ffi.RecursiveGt", args, num_args, result);
}

WRAPPED_GLOBAL("ffi.RecursiveGe", at_least)
