// story: Of a field with a default and a function object for its setter the table keeps only the default alive.
// breaks: RFL-0012 fail
#include "fault.h"
int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  int code = real.TVMFFITypeRegisterField(type_index, info);
  if (code == 0 && (info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) && (info->flags & kTVMFFIFieldFlagBitMaskHasDefault) && info->setter) real.TVMFFIObjectDecRef(info->setter);
  return code;
}
