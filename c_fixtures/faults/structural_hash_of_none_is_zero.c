// story: The structural hash of None is 0.
// breaks: SEQ-0006 fail
#include "wrapped_global.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && args[0].type_index == kTVMFFINone) result->v_int64 = 0;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralHash", hash)
