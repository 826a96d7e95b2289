// story: A List that is extended by itself follows its own end.
// breaks: LST-0012 timeout
#include "wrapped_global.h"

static int replace(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  volatile int follows = num_args == 4 && args[0].v_obj == args[3].v_obj;
  while (follows) {
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ListReplaceSlice", replace)
