// story: The hash of a structural key is the address of the key.
// breaks: SEQ-0027 fail
// breaks: SEQ-0028 fail
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) *(int64_t*)((char*)result->v_obj + 40) = (intptr_t)result->v_obj >> 4;
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralKey", callee)
