// story: The kind of an access step takes whatever it is given for a number.
// breaks: INS-0006 fail
#include "fault.h"

static int store(void* field, const TVMFFIAny* value) {
  *(int32_t*)field = (int32_t)value->v_int64;
  return 0;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo careless;
  static TVMFFIFieldInfo fields[8];
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || info->type_key.size != 25 || memcmp(info->type_key.data, "ffi.reflection.AccessStep", 25) != 0) {
    return info;
  }
  careless = *info;
  for (int32_t i = 0; i < info->num_fields && i < 8; ++i) {
    fields[i] = info->fields[i];
    if (fields[i].size == 4) fields[i].setter = (void*)store;
  }
  careless.fields = fields;
  return &careless;
}
