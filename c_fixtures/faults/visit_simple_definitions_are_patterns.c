// story: A field that defines a variable alone opens a pattern.
// breaks: VIS-0031 fail
// breaks: SEQ-0038 fail
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  TVMFFIFieldInfo field = *info;
  if (field.flags & kTVMFFIFieldFlagBitMaskSEqHashDefSimple) {
    field.flags ^= kTVMFFIFieldFlagBitMaskSEqHashDefSimple | kTVMFFIFieldFlagBitMaskSEqHashDefPattern;
  }
  return real.TVMFFITypeRegisterField(type_index, &field);
}
