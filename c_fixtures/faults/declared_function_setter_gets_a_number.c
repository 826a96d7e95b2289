// story: A setter that is a function object is called with the address of the field as an integer.
// breaks: DCL-0014 fail
// breaks: DCL-0029 fail
#include "fault.h"

static int set_by_number(void* setter, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny wrong[2] = {args[0], args[1]};
  wrong[0].type_index = kTVMFFIInt;
  return real.TVMFFIFunctionCall(setter, wrong, num_args, result);
}

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (info == NULL) return real.TVMFFITypeRegisterField(type_index, info);
  TVMFFIFieldInfo wrong = *info;
  if (info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) {
    TVMFFIObjectHandle function = NULL;
    real.TVMFFIObjectIncRef(info->setter);
    real.TVMFFIFunctionCreate(info->setter, set_by_number, NULL, &function);
    wrong.setter = function;
  }
  return real.TVMFFITypeRegisterField(type_index, &wrong);
}
