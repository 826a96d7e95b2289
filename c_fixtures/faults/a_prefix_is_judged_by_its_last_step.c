// story: _is_prefix_of compares the last step of the path with the step at that depth of the other, and none before.
// breaks: PTH-0005 fail
#include "access_path.h"
static int is_prefix_of(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != args[1].type_index || args[0].type_index < kTVMFFIDynObjectBegin) return call_original(original, args, num_args, result);
  const struct path *left = path_of(&args[0]), *right = path_of(&args[1]);
  if (left->depth > right->depth || left->depth == 0) return call_original(original, args, num_args, result);
  const struct step* other = beginning(right, left->depth)->step;
  *result = (TVMFFIAny){.type_index = kTVMFFIBool};
  result->v_int64 = left->step->kind == other->kind && same_key(&left->step->key, &other->key);
  return 0;
}
CHANGED_METHOD_OF_PATHS("_is_prefix_of", is_prefix_of)
