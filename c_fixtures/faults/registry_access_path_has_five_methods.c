// story: Access paths have methods to extend them, and none to compare them.
// breaks: REG-0017 fail
#include "fault.h"

static int is(const TVMFFIByteArray* name, const char* other) {
  return name && name->size == strlen(other) && memcmp(name->data, other, name->size) == 0;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo changed;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || !is(&info->type_key, "ffi.reflection.AccessPath")) return info;
  changed = *info;
  changed.num_methods = 5;
  return &changed;
}
