// story: No access path is a prefix of itself.
// breaks: PTH-0005 fail
#include "fault.h"

static TVMFFIObjectHandle is_prefix;

static int is_real_prefix(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self;
  int code = real.TVMFFIFunctionCall(is_prefix, (TVMFFIAny*)args, num_args, result);
  if (code == 0 && args[0].v_obj == args[1].v_obj) result->v_int64 = 0;
  return code;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo strict;
  static TVMFFIMethodInfo methods[16];
  static TVMFFIObjectHandle other;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || info->type_key.size != 25 || memcmp(info->type_key.data, "ffi.reflection.AccessPath", 25) != 0) {
    return info;
  }
  if (other == NULL) real.TVMFFIFunctionCreate(NULL, is_real_prefix, NULL, &other);
  strict = *info;
  for (int32_t i = 0; i < info->num_methods && i < 16; ++i) {
    methods[i] = info->methods[i];
    if (methods[i].name.size != 13 || memcmp(methods[i].name.data, "_is_prefix_of", 13) != 0) continue;
    is_prefix = methods[i].method.v_obj;
    methods[i].method.v_obj = (TVMFFIObject*)other;
  }
  strict.methods = methods;
  return &strict;
}
