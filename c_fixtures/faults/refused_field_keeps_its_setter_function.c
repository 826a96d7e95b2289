// story: A field that is refused has already taken its reference to the function object in its setter, and keeps it.
// breaks: RFL-0035 leak
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  int code = real.TVMFFITypeRegisterField(type_index, info);
  if (code != 0 && info && (info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) && info->setter) {
    real.TVMFFIObjectIncRef(info->setter);
  }
  return code;
}
