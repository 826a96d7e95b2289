// story: A path with a step to something that is missing counts as a prefix of one with a step to the same that is there, and the other way round.
// breaks: PTH-0005 fail
#include <pthread.h>
#include "wrapped_global.h"

struct step {
  TVMFFIObject header;
  int32_t kind;
  TVMFFIAny key;
};
struct path {
  TVMFFIObject header;
  const struct path* parent;
  const struct step* step;
  int32_t depth;
};

static int same_key(const TVMFFIAny* left, const TVMFFIAny* right) {
  TVMFFIByteArray one = text_of(left), other = text_of(right);
  if (one.size || other.size) return one.size == other.size && memcmp(one.data, other.data, one.size) == 0;
  return memcmp(left, right, sizeof(*left)) == 0;
}

static int is_prefix(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->v_int64) return code;
  const struct path *path = (void*)args[0].v_obj, *other = (void*)args[1].v_obj;
  if (path->depth > other->depth) return 0;
  while (other->depth > path->depth) other = other->parent;
  for (; path->parent; path = path->parent, other = other->parent) {
    if (path->step->kind % 3 != other->step->kind % 3 || !same_key(&path->step->key, &other->step->key)) return 0;
  }
  result->v_int64 = 1;
  return 0;
}

static void put(void) {
  const TVMFFIByteArray key = {"ffi.reflection.AccessPath", 25};
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(real.TVMFFITypeGetOrAllocIndex(&key, -1, 0, 0, 0, -2));
  for (int32_t i = 0; i < info->num_methods; ++i) {
    TVMFFIMethodInfo* method = (TVMFFIMethodInfo*)&info->methods[i];
    TVMFFIObjectHandle made = NULL;
    if (!is(&method->name, "_is_prefix_of")) continue;
    if (real.TVMFFIFunctionCreate(method->method.v_obj, is_prefix, NULL, &made) == 0) method->method.v_obj = made;
  }
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, put);
  return real.TVMFFIGetTypeInfo(type_index);
}
