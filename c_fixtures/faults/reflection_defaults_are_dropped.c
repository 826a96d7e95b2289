// story: A field is registered without its default.
// breaks: RFL-0004 fail
// breaks: DCL-0004 fail
// breaks: DCL-0005 fail
// breaks: DCL-0016 fail
// breaks: DCL-0017 fail
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (info == NULL) return real.TVMFFITypeRegisterField(type_index, info);
  TVMFFIFieldInfo wrong = *info;
  wrong.flags &= ~(int64_t)(kTVMFFIFieldFlagBitMaskHasDefault | kTVMFFIFieldFlagBitMaskDefaultFromFactory);
  return real.TVMFFITypeRegisterField(type_index, &wrong);
}
