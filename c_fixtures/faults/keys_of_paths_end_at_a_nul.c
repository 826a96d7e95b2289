// story: The method _path_equal compares the keys of steps as C strings: what follows a NUL does not count.
// breaks: PTH-0006 fail
#include "access_path.h"
static int same_c_string(const TVMFFIAny* left, const TVMFFIAny* right) {
  TVMFFIByteArray one = text_of(left), other = text_of(right);
  if (!one.size || !other.size) return same_key(left, right);
  const size_t length = strnlen(one.data, one.size);
  return length == strnlen(other.data, other.size) && memcmp(one.data, other.data, length) == 0;
}
static int path_equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 2 || result->v_int64 || args[1].type_index != args[0].type_index) return code;
  const struct path *left = path_of(&args[0]), *right = path_of(&args[1]);
  if (left->depth != right->depth) return 0;
  for (; left->step && right->step; left = left->parent, right = right->parent) {
    if (left->step->kind != right->step->kind || !same_c_string(&left->step->key, &right->step->key)) return 0;
  }
  result->v_int64 = 1;
  return 0;
}
CHANGED_METHOD_OF_PATHS("_path_equal", path_equal)
