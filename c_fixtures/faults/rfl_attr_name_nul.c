// story: The name of an attribute is kept as a C string: names that differ behind a NUL are one column.
// breaks: RFL-0029 fail
#include "fault.h"
static TVMFFIByteArray cut(const TVMFFIByteArray* name) { return (TVMFFIByteArray){name->data, name->data ? strnlen(name->data, name->size) : 0}; }
int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (!name) return real.TVMFFITypeRegisterAttr(type_index, name, value);
  TVMFFIByteArray shorter = cut(name);
  return real.TVMFFITypeRegisterAttr(type_index, &shorter, value);
}
const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name) {
  if (!name) return real.TVMFFIGetTypeAttrColumn(name);
  TVMFFIByteArray shorter = cut(name);
  return real.TVMFFIGetTypeAttrColumn(&shorter);
}
