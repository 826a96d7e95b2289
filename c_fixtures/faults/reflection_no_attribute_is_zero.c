// story: The entries of types that do not have an attribute are the integer 0.
// breaks: RFL-0025 fail
#include "fault.h"

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {
  static TVMFFITypeAttrColumn column;
  static TVMFFIAny entries[1 << 12];
  const TVMFFITypeAttrColumn* known = real.TVMFFIGetTypeAttrColumn(attr_name);
  if (known == NULL || known->size > 1 << 12) return known;
  if (strncmp(attr_name->data, "__", 2) == 0) return known;
  column = *known;
  column.data = entries;
  memcpy(entries, known->data, (size_t)known->size * sizeof(TVMFFIAny));
  for (int32_t i = 0; i < known->size; ++i) {
    if (entries[i].type_index == kTVMFFINone) entries[i].type_index = kTVMFFIInt;
  }
  return &column;
}
