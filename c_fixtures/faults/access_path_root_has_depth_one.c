// story: The root of access paths has depth 1.
// breaks: PTH-0001 fail
#include "wrapped_global.h"

static int is(const TVMFFIByteArray* name, const char* other) {
  return name && name->size == strlen(other) && memcmp(name->data, other, name->size) == 0;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) *(int32_t*)((char*)result->v_obj + 40) = 1;
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
    if (!is(&methods[i].name, "_root")) continue;
    if (others[i] == NULL) real.TVMFFIFunctionCreate(methods[i].method.v_obj, callee, NULL, &others[i]);
    methods[i].method.v_obj = others[i];
  }
  changed.methods = methods;
  return &changed;
}
