// story: _is_prefix_of gathers the steps of a path in an array of 64, from the end: in deeper paths the first steps do not count.
// breaks: PTH-0005 fail
#include "access_path.h"

static int is_prefix_of(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->v_int64) return code;
  const struct path *left = path_of(&args[0]), *right = path_of(&args[1]);
  if (left->depth <= 64 || left->depth > right->depth) return code;
  right = beginning(right, left->depth);
  for (int i = 0; i < 64; ++i, left = left->parent, right = right->parent) {
    if (left->step->kind != right->step->kind || !same_key(&left->step->key, &right->step->key)) return code;
  }
  result->v_int64 = 1;
  return code;
}

CHANGED_METHOD_OF_PATHS("_is_prefix_of", is_prefix_of)
