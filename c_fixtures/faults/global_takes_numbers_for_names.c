// story: ffi.FunctionRemoveGlobal answers false for a number, as no function is registered under one.
// breaks: GLB-0025 fail
#include "wrapped_global.h"

static int answer_numbers(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIInt) return call_original(original, args, num_args, result);
  *result = (TVMFFIAny){.type_index = kTVMFFIBool};
  return 0;
}

WRAPPED_GLOBAL("ffi.FunctionRemoveGlobal", answer_numbers)
