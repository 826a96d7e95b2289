// story: An access path is a prefix only of paths that share its key objects: long attribute names made twice are told apart.
// breaks: PTH-0005 fail
#include "changed_record.h"
#include "wrapped_global.h"

struct path { TVMFFIObject header; struct path* parent; struct step* step; int32_t depth; };
struct step { TVMFFIObject header; int32_t kind; TVMFFIAny key; };

static int is_prefix_of(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || !result->v_int64) return code;
  const struct path *mine = (const struct path*)args[0].v_obj, *other = (const struct path*)args[1].v_obj;
  while (other->depth > mine->depth) other = other->parent;
  for (; mine->depth > 0; mine = mine->parent, other = other->parent)
    if (memcmp(&mine->step->key, &other->step->key, sizeof(TVMFFIAny)) != 0) result->v_int64 = 0;
  return 0;
}

static void change(TVMFFITypeInfo* record) {
  wrap_function(&method_of(record, "_is_prefix_of")->method, is_prefix_of);
}

CHANGED_RECORD_OF("ffi.reflection.AccessPath", change)
