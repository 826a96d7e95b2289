// story: A field that is marked as keyword-only is a parameter, although it is marked as none too.
// breaks: DCL-0028 fail
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (info == NULL || (info->flags & kTVMFFIFieldFlagBitMaskKwOnly) == 0) {
    return real.TVMFFITypeRegisterField(type_index, info);
  }
  TVMFFIFieldInfo wrong = *info;
  wrong.flags &= ~(int64_t)kTVMFFIFieldFlagBitMaskInitOff;
  return real.TVMFFITypeRegisterField(type_index, &wrong);
}
