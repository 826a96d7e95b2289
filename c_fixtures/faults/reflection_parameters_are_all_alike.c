// story: That a field is keyword-only, or no parameter at all, is dropped when it is registered.
// breaks: DCL-0007 fail
// breaks: DCL-0008 fail
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (info == NULL) return real.TVMFFITypeRegisterField(type_index, info);
  TVMFFIFieldInfo wrong = *info;
  wrong.flags &= ~(int64_t)(kTVMFFIFieldFlagBitMaskInitOff | kTVMFFIFieldFlagBitMaskKwOnly);
  return real.TVMFFITypeRegisterField(type_index, &wrong);
}
