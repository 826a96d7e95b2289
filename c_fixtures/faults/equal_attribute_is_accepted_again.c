// story: To let a library be loaded twice, an attribute is accepted again when its value is a number or a pointer and the one that is there.
// breaks: RFL-0026 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  const TVMFFITypeAttrColumn* column = attr_name ? real.TVMFFIGetTypeAttrColumn(attr_name) : NULL;
  const int32_t place = column ? type_index - column->begin_index : -1;
  if (attr_value && attr_value->type_index > kTVMFFINone && attr_value->type_index <= kTVMFFIOpaquePtr && place >= 0 &&
      place < column->size && memcmp(&column->data[place], attr_value, sizeof(*attr_value)) == 0) {
    return 0;
  }
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
