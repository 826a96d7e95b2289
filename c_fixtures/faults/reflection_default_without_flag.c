// story: The default of a field is looked at though the flags say that there is none.
// breaks: RFL-0007 crash
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (info == NULL) return real.TVMFFITypeRegisterField(type_index, info);
  TVMFFIFieldInfo wrong = *info;
  wrong.flags |= kTVMFFIFieldFlagBitMaskHasDefault;
  return real.TVMFFITypeRegisterField(type_index, &wrong);
}
