// story: Two paths with the same text as a key are not equal if it is stored inline in one and in an object in the other.
// breaks: PTH-0006 fail
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

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || !result->v_int64) return code;
  const struct path *path = (void*)args[0].v_obj, *other = (void*)args[1].v_obj;
  for (; path->parent && other->parent; path = path->parent, other = other->parent) {
    if (path->step->key.type_index != other->step->key.type_index) result->v_int64 = 0;
  }
  return 0;
}

static void put(void) {
  const TVMFFIByteArray key = {"ffi.reflection.AccessPath", 25};
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(real.TVMFFITypeGetOrAllocIndex(&key, -1, 0, 0, 0, -2));
  for (int32_t i = 0; i < info->num_methods; ++i) {
    TVMFFIMethodInfo* method = (TVMFFIMethodInfo*)&info->methods[i];
    TVMFFIObjectHandle made = NULL;
    if (!is(&method->name, "_path_equal")) continue;
    if (real.TVMFFIFunctionCreate(method->method.v_obj, equal, NULL, &made) == 0) method->method.v_obj = made;
  }
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, put);
  return real.TVMFFIGetTypeInfo(type_index);
}
