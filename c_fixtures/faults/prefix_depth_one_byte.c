// story: `_is_prefix_of` compares the depths in a byte before it looks at the steps: a path of 255 steps is no prefix of one of 256.
// breaks: PTH-0005 fail
#include "access_path.h"
static int is_prefix_of(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result);
  if (code != 0) return code;
  if ((uint8_t)path_of(&args[0])->depth > (uint8_t)path_of(&args[1])->depth) result->v_int64 = 0;
  return 0;
}
CHANGED_METHOD_OF_PATHS("_is_prefix_of", is_prefix_of)
