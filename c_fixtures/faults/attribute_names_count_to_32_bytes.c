// story: Columns are kept under the first 32 bytes of their names.
// breaks: RFL-0029 fail
#include "fault.h"
static TVMFFIByteArray cut(const TVMFFIByteArray* name) { return (TVMFFIByteArray){name->data, name->size > 32 ? 32 : name->size}; }
int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (!name) return real.TVMFFITypeRegisterAttr(type_index, name, value);
  TVMFFIByteArray less = cut(name);
  return real.TVMFFITypeRegisterAttr(type_index, &less, value);
}
const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name) {
  if (!name) return real.TVMFFIGetTypeAttrColumn(name);
  TVMFFIByteArray less = cut(name);
  return real.TVMFFIGetTypeAttrColumn(&less);
}
