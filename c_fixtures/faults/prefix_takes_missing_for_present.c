// story: A path with a step to something that is missing counts as a prefix of one with a step to the same that is there, and the other way round.
// breaks: PTH-0005 fail
#include "access_path.h"

static int is_prefix(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->v_int64) return code;
  const struct path *path = path_of(&args[0]), *other = path_of(&args[1]);
  if (path->depth > other->depth) return 0;
  for (other = beginning(other, path->depth); path->parent; path = path->parent, other = other->parent) {
    if (!same_access(path->step, other->step)) return 0;
  }
  result->v_int64 = 1;
  return 0;
}

CHANGED_METHOD_OF_PATHS("_is_prefix_of", is_prefix)
