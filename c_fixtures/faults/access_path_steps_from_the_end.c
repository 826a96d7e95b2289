// story: The steps of a path are listed from its end to the root.
// breaks: PTH-0004 fail
#include "wrapped_global.h"

static int is(const TVMFFIByteArray* name, const char* other) {
  return name && name->size == strlen(other) && memcmp(name->data, other, name->size) == 0;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  TVMFFISeqCell* steps = sequence_cell(result);
  TVMFFIAny* items = steps->data;
  for (int64_t i = 0; i < steps->size / 2; ++i) {
    const TVMFFIAny step = items[i];
    items[i] = items[steps->size - 1 - i];
    items[steps->size - 1 - i] = step;
  }
  return 0;
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
    if (!is(&methods[i].name, "_to_steps")) continue;
    if (others[i] == NULL) real.TVMFFIFunctionCreate(methods[i].method.v_obj, callee, NULL, &others[i]);
    methods[i].method.v_obj = others[i];
  }
  changed.methods = methods;
  return &changed;
}
