// story: Functions that compare and hash the objects of a type recursively are dropped when they are registered.
// breaks: HOK-0004 fail
// breaks: HOK-0005 fail
// breaks: HOK-0006 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (is(attr_name, "__ffi_eq__") || is(attr_name, "__ffi_compare__") || is(attr_name, "__ffi_hash__")) return 0;
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
