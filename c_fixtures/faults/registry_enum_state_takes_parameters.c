// story: The fields of an enumeration's state are parameters of its initialiser.
// breaks: REG-0010 fail
#include "fault.h"

static int is(const TVMFFIByteArray* name, const char* other) {
  return name && name->size == strlen(other) && memcmp(name->data, other, name->size) == 0;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static TVMFFITypeInfo changed;
  static TVMFFIFieldInfo fields[8];
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (info == NULL || !is(&info->type_key, "ffi.EnumState")) return info;
  changed = *info;
  for (int32_t i = 0; i < info->num_fields && i < 8; ++i) {
    fields[i] = info->fields[i];
    fields[i].flags &= ~kTVMFFIFieldFlagBitMaskInitOff;
  }
  changed.fields = fields;
  return &changed;
}
