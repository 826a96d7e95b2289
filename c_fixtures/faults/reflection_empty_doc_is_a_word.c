// story: A documentation that is empty is given out as the word None.
// breaks: RFL-0003 fail
#include "fault.h"

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo changed;
  static TVMFFIFieldInfo fields[128];
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || type_index < kTVMFFIDynObjectBegin) return info;
  changed = *info;
  for (int32_t i = 0; i < info->num_fields && i < 128; ++i) {
    fields[i] = info->fields[i];
    if (fields[i].doc.size == 0) fields[i].doc = (TVMFFIByteArray){"None", 4};
  }
  changed.fields = fields;
  return &changed;
}
