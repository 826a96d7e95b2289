// story: Recursively, an object of a client's type equals only itself.
// breaks: HOK-0010 fail
#include "wrapped_global.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && args[0].type_index >= kTVMFFIDynObjectBegin && args[0].v_obj != args[1].v_obj) result->v_int64 = 0;
  return code;
}

WRAPPED_GLOBAL("ffi.RecursiveEq", equal)
