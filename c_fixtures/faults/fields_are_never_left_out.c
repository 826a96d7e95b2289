// story: The flag of fields that structural functions leave out is lost when the field is registered.
// breaks: SEQ-0014 fail
// breaks: VIS-0030 fail
// breaks: VIS-0047 fail
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  TVMFFIFieldInfo changed = *info;
  changed.flags &= ~(int64_t)kTVMFFIFieldFlagBitMaskSEqHashIgnore;
  return real.TVMFFITypeRegisterField(type_index, &changed);
}
