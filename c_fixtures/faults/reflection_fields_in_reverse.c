// story: The fields of a type are listed with the newest first.
// breaks: RFL-0008 fail
// chance: What the fault keeps is not made for threads.
#include "fault.h"

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo changed;
  static TVMFFIFieldInfo fields[128];
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || info->num_fields > 128) return info;
  changed = *info;
  for (int32_t i = 0; i < info->num_fields && i < 128; ++i) {
    fields[i] = info->fields[i];
    fields[i] = info->fields[info->num_fields - 1 - i];
  }
  changed.fields = fields;
  return &changed;
}
