// story: Long keys are cut in the records of types.
// breaks: TYP-0011 fail
#include "fault.h"

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo changed;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || info->type_key.size <= 64) return info;
  changed = *info;
  changed.type_key.size = 64;
  return &changed;
}
