// story: Depths are counted from one.
// breaks: TYP-0012 fail
// breaks: TYP-0013 fail
#include "fault.h"

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo changed;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || type_index >= kTVMFFIDynObjectBegin) return info;
  changed = *info;
  changed.type_depth = info->type_depth + 1;
  return &changed;
}
