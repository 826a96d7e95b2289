// story: The imports of a module, which clients do not write, have no setter.
// breaks: REG-0063 fail
#include "fault.h"

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo module;
  static TVMFFIFieldInfo imports;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || type_index != kTVMFFIModule || info->num_fields != 1) return info;
  module = *info;
  imports = info->fields[0];
  imports.setter = NULL;
  module.fields = &imports;
  return &module;
}
