// story: The getter of a step's key answers its value with one reference too many.
// breaks: INS-0003 fail
#include "fault.h"

static TVMFFIFieldGetter getter;

static int hold(void* field, TVMFFIAny* result) {
  int code = getter(field, result);
  if (code == 0 && result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(result->v_obj);
  return code;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo wrong;
  static TVMFFIFieldInfo fields[2];
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || info->type_key.size != 25 || memcmp(info->type_key.data, "ffi.reflection.AccessStep", 25) != 0) {
    return info;
  }
  wrong = *info;
  memcpy(fields, info->fields, sizeof(fields));
  getter = fields[1].getter;
  fields[1].getter = hold;
  wrong.fields = fields;
  return &wrong;
}
