// story: Access paths have their depth four bytes further on, as the record says.
// breaks: REG-0014 fail
#include "fault.h"

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo moved;
  static TVMFFIFieldInfo fields[8];
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || info->type_key.size != 25 || memcmp(info->type_key.data, "ffi.reflection.AccessPath", 25) != 0) {
    return info;
  }
  moved = *info;
  for (int32_t i = 0; i < info->num_fields && i < 8; ++i) {
    fields[i] = info->fields[i];
    if (fields[i].offset == 40) fields[i].offset = 44;
  }
  moved.fields = fields;
  return &moved;
}
