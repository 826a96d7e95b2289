// story: Functions that compare and hash the objects of a type structurally are dropped when they are registered.
// breaks: HOK-0001 fail
// breaks: HOK-0003 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (attr_name && attr_name->size > 4 && memcmp(attr_name->data, "__s_", 4) == 0) return 0;
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
