// story: Every type is said to be final, enumerations too.
// breaks: REG-0039 fail
#include "fault.h"

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {
  static TVMFFITypeAttrColumn column;
  static TVMFFIAny entries[1 << 12];
  const TVMFFITypeAttrColumn* known = real.TVMFFIGetTypeAttrColumn(attr_name);
  if (known == NULL || attr_name->size != 18 || memcmp(attr_name->data, "__ffi_type_final__", 18) != 0) return known;
  column = *known;
  for (int32_t i = 0; i < known->size && i < 1 << 12; ++i) {
    entries[i] = known->data[i];
    if (entries[i].type_index == kTVMFFIBool) entries[i].v_int64 = 1;
  }
  column.data = entries;
  return &column;
}
