// story: Functions that print the objects of a type are dropped when they are registered.
// breaks: HOK-0008 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  static const char name[] = "__ffi_repr__";
  if (attr_name && attr_name->size == sizeof(name) - 1 && memcmp(attr_name->data, name, sizeof(name) - 1) == 0) {
    return 0;
  }
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
