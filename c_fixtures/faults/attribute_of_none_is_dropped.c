// story: An attribute with a value that is registered for the type of None is dropped, though the call succeeds.
// breaks: RFL-0021 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  static const TVMFFIAny none = {0};
  if (type_index == kTVMFFINone && attr_value && attr_value->type_index != kTVMFFINone) attr_value = &none;
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
