// story: AccessPath._path_equal compares the kinds of steps without whether they say that the item is missing.
// breaks: PTH-0006 fail
#include "wrapped_global.h"
#include <pthread.h>
typedef struct { TVMFFIObject h; int32_t kind; int32_t pad; TVMFFIAny key; } Step;
typedef struct Path { TVMFFIObject h; struct Path* parent; Step* step; int32_t depth; } Path;
static int same_key(const TVMFFIAny* a, const TVMFFIAny* b) {
  if (memcmp(a, b, 16) == 0) return 1;
  TVMFFIByteArray x = text_of(a), y = text_of(b);
  return (a->type_index == 65 || a->type_index == 11) && (b->type_index == 65 || b->type_index == 11) && x.size == y.size && memcmp(x.data, y.data, x.size) == 0;
}
static int equal(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0 || result->v_int64) return code;
  if (args[0].type_index != args[1].type_index) return code;
  Path *a = (Path*)args[0].v_obj, *b = (Path*)args[1].v_obj;
  if (!a || !b || a->depth != b->depth) return code;
  for (; a->step && b->step; a = a->parent, b = b->parent)
    if (a->step->kind % 3 != b->step->kind % 3 || !same_key(&a->step->key, &b->step->key)) return code;
  result->v_int64 = 1;
  return 0;
}
static void patch(void) {
  int32_t index;
  TVMFFIByteArray key = {"ffi.reflection.AccessPath", 25};
  if (real.TVMFFITypeKeyToIndex(&key, &index)) return;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(index);
  for (int i = 0; i < info->num_methods; ++i)
    if (is(&info->methods[i].name, "_path_equal")) {
      TVMFFIAny* m = (TVMFFIAny*)&info->methods[i].method;
      TVMFFIObjectHandle made;
      if (real.TVMFFIFunctionCreate(m->v_obj, equal, NULL, &made) == 0) m->v_obj = made;
    }
}
const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, patch);
  return real.TVMFFIGetTypeInfo(type_index);
}
