// story: A structural walk enters fields that are to be ignored.
// breaks: VIS-0030 fail
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  TVMFFIFieldInfo field = *info;
  int is_first = info->name.size == 5 && memcmp(info->name.data, "first", 5) == 0;
  if (is_first) field.flags &= ~(int64_t)kTVMFFIFieldFlagBitMaskSEqHashIgnore;
  return real.TVMFFITypeRegisterField(type_index, &field);
}
