// story: A default that the setter refuses is left out without a word.
// breaks: DCL-0010 fail
#include "fault.h"

static TVMFFIFieldSetter setter;
static TVMFFIAny default_value;

static int set(void* field, const TVMFFIAny* value) {
  TVMFFIObjectHandle error = NULL;
  int code = setter(field, value);
  if (code == 0 || memcmp(value, &default_value, sizeof(default_value)) != 0) return code;
  real.TVMFFIErrorMoveFromRaised(&error);
  real.TVMFFIObjectDecRef(error);
  return 0;
}

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (info == NULL || (info->flags & kTVMFFIFieldFlagBitMaskHasDefault) == 0 ||
      (info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) != 0 || info->default_value_or_factory.type_index != kTVMFFIInt) {
    return real.TVMFFITypeRegisterField(type_index, info);
  }
  TVMFFIFieldInfo wrong = *info;
  setter = (TVMFFIFieldSetter)info->setter;
  default_value = info->default_value_or_factory;
  wrong.setter = (void*)set;
  return real.TVMFFITypeRegisterField(type_index, &wrong);
}
