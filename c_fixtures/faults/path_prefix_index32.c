// story: AccessPath._is_prefix_of compares integer keys by their low 32 bits only.
// breaks: PTH-0005 fail
#include "access_path.h"

static int same_low_half(const TVMFFIAny* left, const TVMFFIAny* right) {
  if (left->type_index != kTVMFFIInt || right->type_index != kTVMFFIInt) return same_key(left, right);
  return (int32_t)left->v_int64 == (int32_t)right->v_int64;
}

static int is_prefix(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->v_int64) return code;
  const struct path *path = path_of(&args[0]), *other = path_of(&args[1]);
  if (path->depth > other->depth) return 0;
  for (other = beginning(other, path->depth); path->parent; path = path->parent, other = other->parent) {
    if (path->step->kind != other->step->kind || !same_low_half(&path->step->key, &other->step->key)) return 0;
  }
  result->v_int64 = 1;
  return 0;
}

CHANGED_METHOD_OF_PATHS("_is_prefix_of", is_prefix)
