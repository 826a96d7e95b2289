// story: A column is there for clients as soon as somebody registers an attribute, and not when the library is loaded.
// breaks: RFL-0031 fail
// breaks: RFL-0032 fail
// breaks: RFL-0039 fail
// breaks: REG-0028 fail
#include "fault.h"

static int used;

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  used = 1;
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {
  return used ? real.TVMFFIGetTypeAttrColumn(attr_name) : NULL;
}
