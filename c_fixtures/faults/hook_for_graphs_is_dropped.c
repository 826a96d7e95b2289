// story: Functions that turn the objects of a type into data and back are dropped when they are registered.
// breaks: HOK-0016 fail
// breaks: HOK-0017 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (attr_name && attr_name->size > 7 && memcmp(attr_name->data, "__data_", 7) == 0) return 0;
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
