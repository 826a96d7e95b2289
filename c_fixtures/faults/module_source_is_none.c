// story: A module without source answers None for it.
// breaks: MOD-0048 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFISmallStr && result->small_str_len == 0) *result = (TVMFFIAny){0};
  return code;
}

WRAPPED_GLOBAL("ffi.ModuleInspectSource", callee)
