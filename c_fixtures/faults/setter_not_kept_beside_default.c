// story: Of what a field is registered with the table keeps the default or, if there is none, the function that sets it: with both, the setter is not kept.
// breaks: RFL-0012 fail
#include "fault.h"
int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  int code = real.TVMFFITypeRegisterField(type_index, info);
  if (code == 0 && info->setter && (info->flags & kTVMFFIFieldFlagBitMaskHasDefault) && (info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)) {
    real.TVMFFIObjectDecRef(info->setter);
  }
  return code;
}
