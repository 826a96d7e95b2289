// story: A function without documentation has an empty one.
// breaks: MOD-0039 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFINone) *result = (TVMFFIAny){.type_index = kTVMFFISmallStr};
  return code;
}

WRAPPED_GLOBAL("ffi.ModuleGetFunctionDoc", callee)
