// story: A library module has no property.
// breaks: MOD-0018 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) result->v_int64 = 0;
  return code;
}

WRAPPED_GLOBAL("ffi.ModuleGetPropertyMask", callee)
