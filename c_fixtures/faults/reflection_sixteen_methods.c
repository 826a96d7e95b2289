// story: The record of a type lists no more than sixteen methods.
// breaks: RFL-0016 fail
#include "fault.h"

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo changed;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || info->num_methods <= 16) return info;
  changed = *info;
  changed.num_methods = 16;
  return &changed;
}
