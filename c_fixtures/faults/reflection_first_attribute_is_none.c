// story: The first attribute of a name makes the column and is not put into it.
// breaks: RFL-0021 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (attr_name && attr_value && real.TVMFFIGetTypeAttrColumn(attr_name) == NULL) {
    const TVMFFIAny none = {.type_index = kTVMFFINone};
    return real.TVMFFITypeRegisterAttr(0, attr_name, &none);
  }
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
