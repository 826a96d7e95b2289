// story: A number that is registered in __s_hash__ is dropped, so that objects of the type are hashed by their fields.
// breaks: HOK-0025 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (is(name, "__s_hash__") && value->type_index == kTVMFFIInt) return 0;
  return real.TVMFFITypeRegisterAttr(type_index, name, value);
}
