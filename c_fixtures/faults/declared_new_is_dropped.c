// story: Functions that make new instances are dropped when they are registered.
// breaks: DCL-0018 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (type_index != kTVMFFINone && is(attr_name, "__ffi_new__")) return 0;
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
