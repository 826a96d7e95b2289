// story: The method _path_equal compares the sixteen bytes of keys, so a text that is no small String is the same only as one object.
// breaks: PTH-0006 fail
#include "access_path.h"

static int path_equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || !result->v_int64) return code;
  const struct path *left = path_of(&args[0]), *right = path_of(&args[1]);
  for (; left->step && right->step; left = left->parent, right = right->parent) {
    if (left->step->key.type_index == kTVMFFIStr && left->step->key.v_obj != right->step->key.v_obj) result->v_int64 = 0;
  }
  return 0;
}

CHANGED_METHOD_OF_PATHS("_path_equal", path_equal)
