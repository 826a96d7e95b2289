// story: `_is_prefix_of` goes up to the place in the longer path that is as deep as the shorter one, and compares the step there and none above it.
// breaks: PTH-0005 fail
#include "access_path.h"

static int is_prefix(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 2 || args[1].type_index != args[0].type_index) return code;
  const struct path *one = path_of(&args[0]), *other = path_of(&args[1]);
  if (one->depth == 0 || one->depth > other->depth) return code;
  other = beginning(other, one->depth);
  result->v_int64 = one->step->kind == other->step->kind && same_key(&one->step->key, &other->step->key);
  return 0;
}

CHANGED_METHOD_OF_PATHS("_is_prefix_of", is_prefix)
