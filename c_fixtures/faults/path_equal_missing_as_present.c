// story: The method _path_equal of an access path takes a step to a missing attribute, item or key for the step to one that is there.
// breaks: PTH-0006 fail
#include "access_path.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->v_int64) return code;
  const struct path *left = path_of(&args[0]), *right = path_of(&args[1]);
  if (left->depth != right->depth) return 0;
  for (; left->parent; left = left->parent, right = right->parent) {
    if (!same_access(left->step, right->step)) return 0;
  }
  result->v_int64 = 1;
  return 0;
}

CHANGED_METHOD_OF_PATHS("_path_equal", equal)
