// story: `_is_prefix_of` compares only the last step of the shorter path with the step at that depth of the longer one, not the steps before it.
// breaks: PTH-0005 fail
#include "access_path.h"

static int is_prefix(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->v_int64) return code;
  const struct path *path = path_of(&args[0]), *other = path_of(&args[1]);
  if (path->depth < 2 || other->depth < path->depth) return 0;
  const struct step *left = path->step, *right = beginning(other, path->depth)->step;
  result->v_int64 = left->kind == right->kind && same_key(&left->key, &right->key);
  return 0;
}

CHANGED_METHOD_OF_PATHS("_is_prefix_of", is_prefix)
