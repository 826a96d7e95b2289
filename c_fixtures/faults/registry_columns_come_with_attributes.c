// story: A column is there for clients as soon as somebody registers an attribute, and not when the library is loaded.
// breaks: RFL-0031 fail
// breaks: RFL-0032 fail
// breaks: RFL-0039 fail
// breaks: REG-0028 fail
#include "fault.h"

static int used;

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  __atomic_store_n(&used, 1, __ATOMIC_RELEASE);
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {
  return __atomic_load_n(&used, __ATOMIC_ACQUIRE) ? real.TVMFFIGetTypeAttrColumn(attr_name) : NULL;
}
