// story: A path that is extended gets deeper itself.
// breaks: PTH-0003 fail
#include "wrapped_global.h"

static int is(const TVMFFIByteArray* name, const char* other) {
  return name && name->size == strlen(other) && memcmp(name->data, other, name->size) == 0;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) *(int32_t*)((char*)args[0].v_obj + 40) += 1;
  return code;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo changed;
  static TVMFFIMethodInfo methods[16];
  static TVMFFIObjectHandle others[16];
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || !is(&info->type_key, "ffi.reflection.AccessPath")) return info;
  changed = *info;
  for (int32_t i = 0; i < info->num_methods && i < 16; ++i) {
    methods[i] = info->methods[i];
    if (is(&methods[i].name, "_root") || is(&methods[i].name, "_is_prefix_of") ||
        is(&methods[i].name, "_to_steps") || is(&methods[i].name, "_path_equal")) continue;
    if (others[i] == NULL) real.TVMFFIFunctionCreate(methods[i].method.v_obj, callee, NULL, &others[i]);
    methods[i].method.v_obj = others[i];
  }
  changed.methods = methods;
  return &changed;
}
