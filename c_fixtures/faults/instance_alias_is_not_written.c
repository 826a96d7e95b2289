// story: The value of an integer enumeration is read, but writing it has no effect.
// breaks: REG-0012 fail
#include "fault.h"

static int ignore(void* field, const TVMFFIAny* value) {
  (void)field, (void)value;
  return 0;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo wrong;
  static TVMFFIFieldInfo value;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || info->type_key.size != 11 || memcmp(info->type_key.data, "ffi.IntEnum", 11) != 0) return info;
  wrong = *info;
  value = info->fields[0];
  value.setter = (void*)ignore;
  wrong.fields = &value;
  return &wrong;
}
