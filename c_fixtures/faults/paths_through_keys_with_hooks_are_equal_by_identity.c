// story: Access paths through keys that are objects other than texts are equal only if the keys are the same objects, whatever the hooks of their types say.
// breaks: HSH-0012 fail
// breaks: HSH-0018 fail
#include "access_path.h"

static int is_text(int32_t type_index) { return type_index == kTVMFFIStr || type_index == kTVMFFIBytes; }

static int path_equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || !result->v_int64) return code;
  const struct path *path = path_of(&args[0]), *other = path_of(&args[1]);
  for (; path->parent; path = path->parent, other = other->parent) {
    const TVMFFIAny *key = &path->step->key, *other_key = &other->step->key;
    if (key->type_index < kTVMFFIStaticObjectBegin || is_text(key->type_index) || is_text(other_key->type_index)) continue;
    if (key->v_obj != other_key->v_obj) result->v_int64 = 0;
  }
  return 0;
}

CHANGED_METHOD_OF_PATHS("_path_equal", path_equal)
