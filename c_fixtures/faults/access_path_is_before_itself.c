// story: No access path is a prefix of itself.
// breaks: PTH-0005 fail
#include "access_path.h"

static int is_prefix(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && args[0].v_obj == args[1].v_obj) result->v_int64 = 0;
  return code;
}

CHANGED_METHOD_OF_PATHS("_is_prefix_of", is_prefix)
