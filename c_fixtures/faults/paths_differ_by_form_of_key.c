// story: Two paths with the same text as a key are not equal if it is stored inline in one and in an object in the other.
// breaks: PTH-0006 fail
#include "access_path.h"

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || !result->v_int64) return code;
  const struct path *left = path_of(&args[0]), *right = path_of(&args[1]);
  for (; left->parent; left = left->parent, right = right->parent) {
    if (left->step->key.type_index != right->step->key.type_index) result->v_int64 = 0;
  }
  return 0;
}

CHANGED_METHOD_OF_PATHS("_path_equal", equal)
