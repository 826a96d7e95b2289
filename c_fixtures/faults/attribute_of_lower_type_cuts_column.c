// story: An attribute that is set for a type in the middle of a column makes that type the last of the column.
// breaks: RFL-0023 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  int code = real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  if (code != 0 || type_index <= 0) return code;
  TVMFFITypeAttrColumn* column = (TVMFFITypeAttrColumn*)real.TVMFFIGetTypeAttrColumn(attr_name);
  if (column && column->size > type_index + 1) column->size = type_index + 1;
  return 0;
}
