// story: An access path is a prefix only of paths that share its key objects: long attribute names made twice are told apart.
// breaks: PTH-0005 fail
#include "fault.h"

struct path { TVMFFIObject header; struct path* parent; struct step* step; int32_t depth; };
struct step { TVMFFIObject header; int32_t kind; TVMFFIAny key; };

static int is_prefix_of(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(original, (TVMFFIAny*)args, num_args, result);
  if (code != 0 || !result->v_int64) return code;
  const struct path *mine = (const struct path*)args[0].v_obj, *other = (const struct path*)args[1].v_obj;
  while (other->depth > mine->depth) other = other->parent;
  for (; mine->depth > 0; mine = mine->parent, other = other->parent)
    if (memcmp(&mine->step->key, &other->step->key, sizeof(TVMFFIAny)) != 0) result->v_int64 = 0;
  return 0;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static int patched;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info && !patched && info->type_key.size == 25 && memcmp(info->type_key.data, "ffi.reflection.AccessPath", 25) == 0) {
    patched = 1;
    for (int i = 0; i < info->num_methods; i++) {
      TVMFFIMethodInfo* method = (TVMFFIMethodInfo*)&info->methods[i];
      TVMFFIObjectHandle wrapper;
      if (method->name.size == 13 && memcmp(method->name.data, "_is_prefix_of", 13) == 0 &&
          real.TVMFFIFunctionCreate(method->method.v_obj, is_prefix_of, NULL, &wrapper) == 0)
        method->method.v_obj = wrapper;
    }
  }
  return info;
}
