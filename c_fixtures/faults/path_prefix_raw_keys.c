// story: An access path is a prefix only of paths that share its key objects: long attribute names made twice are told apart.
// breaks: PTH-0005 fail
#include "access_path.h"

static int is_prefix(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || !result->v_int64) return code;
  const struct path *path = path_of(&args[0]), *other = beginning(path_of(&args[1]), path->depth);
  for (; path->parent; path = path->parent, other = other->parent) {
    if (memcmp(&path->step->key, &other->step->key, sizeof(TVMFFIAny)) != 0) result->v_int64 = 0;
  }
  return 0;
}

CHANGED_METHOD_OF_PATHS("_is_prefix_of", is_prefix)
