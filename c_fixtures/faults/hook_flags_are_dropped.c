// story: The flags that leave a field out of comparing, hashing and printing are dropped when it is registered.
// breaks: HOK-0011 fail
// breaks: HOK-0012 fail
// breaks: HOK-0014 fail
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (info == NULL) return real.TVMFFITypeRegisterField(type_index, info);
  TVMFFIFieldInfo wrong = *info;
  wrong.flags &=
      ~(kTVMFFIFieldFlagBitMaskCompareOff | kTVMFFIFieldFlagBitMaskHashOff | kTVMFFIFieldFlagBitMaskReprOff);
  return real.TVMFFITypeRegisterField(type_index, &wrong);
}
