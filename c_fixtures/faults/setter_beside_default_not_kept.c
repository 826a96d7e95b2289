// story: Of a field that has a default and a function object for its setter the table keeps only the default alive.
// breaks: RFL-0012 fail
#include "fault.h"
int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  int code = real.TVMFFITypeRegisterField(type_index, info);
  if (code != 0) return code;
  if ((info->flags & kTVMFFIFieldFlagBitMaskHasDefault) && (info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) && info->setter) {
    real.TVMFFIObjectDecRef(info->setter);
  }
  return 0;
}
