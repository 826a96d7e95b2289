// story: `_path_equal` tells two paths apart whose last keys are the same text, once as a small String and once as an object.
// breaks: PTH-0006 fail

#include "fault.h"

struct path {
  TVMFFIObject header;
  struct path* parent;
  TVMFFIObject* step;
};

static int path_equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(original, (TVMFFIAny*)args, num_args, result);
  if (code != 0 || num_args != 2 || !result->v_int64) return code;
  struct path *left = (void*)args[0].v_obj, *right = (void*)args[1].v_obj;
  if (!left->step || !right->step) return 0;
  const TVMFFIAny *one = (void*)((char*)left->step + 32), *other = (void*)((char*)right->step + 32);
  if (one->type_index != other->type_index) result->v_int64 = 0;
  return 0;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static int done;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (!is(&info->type_key, "ffi.reflection.AccessPath") || __atomic_exchange_n(&done, 1, __ATOMIC_ACQ_REL)) return info;
  for (int32_t i = 0; i < info->num_methods; ++i) {
    TVMFFIMethodInfo* method = (TVMFFIMethodInfo*)&info->methods[i];
    if (!is(&method->name, "_path_equal")) continue;
    TVMFFIObjectHandle made = NULL;
    if (real.TVMFFIFunctionCreate(method->method.v_obj, path_equal, NULL, &made) == 0) method->method.v_ptr = made;
  }
  return info;
}
