// story: A function that sets a field is kept by the table only if the field has a default, too.
// breaks: RFL-0012 fail
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  int code = real.TVMFFITypeRegisterField(type_index, info);
  if (code == 0 && (info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) && info->setter &&
      !(info->flags & kTVMFFIFieldFlagBitMaskHasDefault))
    real.TVMFFIObjectDecRef(info->setter);
  return code;
}
