// story: A column begins at the first type that it has an entry for; an attribute for a lower type is lost.
// breaks: RFL-0023 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  const TVMFFITypeAttrColumn* column = attr_name ? real.TVMFFIGetTypeAttrColumn(attr_name) : NULL;
  int32_t first = 0;
  while (column && first < column->size && column->data[first].type_index == kTVMFFINone) ++first;
  if (column && first < column->size && type_index != kTVMFFINone && type_index < column->begin_index + first) return 0;
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
