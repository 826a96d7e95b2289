// story: A walk that nothing interrupts answers 0.
// breaks: VIS-0003 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFINone) result->type_index = kTVMFFIInt;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralWalk", callee)
