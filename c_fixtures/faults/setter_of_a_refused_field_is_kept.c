// story: The function object that is a field's setter is retained before the field is looked at, and not released when it is refused.
// breaks: RFL-0035 leak
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  const int code = real.TVMFFITypeRegisterField(type_index, info);
  if (code != 0 && info && info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj && info->setter) real.TVMFFIObjectIncRef(info->setter);
  return code;
}

