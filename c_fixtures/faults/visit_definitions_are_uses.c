// story: The flag of a field that defines variables is dropped when it is registered.
// breaks: VIS-0028 fail
// breaks: SEQ-0020 fail
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (info == NULL) return real.TVMFFITypeRegisterField(type_index, info);
  TVMFFIFieldInfo wrong = *info;
  wrong.flags &= ~kTVMFFIFieldFlagBitMaskSEqHashDefPattern;
  return real.TVMFFITypeRegisterField(type_index, &wrong);
}
