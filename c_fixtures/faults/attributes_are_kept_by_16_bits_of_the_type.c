// story: The index of a type goes through 16 bits where an attribute is registered: those of types from 65536 on land at another type.
// breaks: RFL-0038 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  return real.TVMFFITypeRegisterAttr(type_index < 0 ? type_index : (uint16_t)type_index, attr_name, attr_value);
}
