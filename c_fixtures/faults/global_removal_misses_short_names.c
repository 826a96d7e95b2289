// story: ffi.FunctionRemoveGlobal looks for a small string where an object would point, and misses short names.
// breaks: GLB-0018 fail
#include "wrapped_global.h"

static int miss_short_names(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFISmallStr) return call_original(original, args, num_args, result);
  result->type_index = kTVMFFIBool;
  result->zero_padding = 0;
  result->v_int64 = 0;
  return 0;
}

WRAPPED_GLOBAL("ffi.FunctionRemoveGlobal", miss_short_names)
