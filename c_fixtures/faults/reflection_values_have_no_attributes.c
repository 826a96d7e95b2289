// story: Attributes of value types are refused.
// breaks: RFL-0030 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (type_index > kTVMFFINone && type_index < kTVMFFIStaticObjectBegin) {
    real.TVMFFIErrorSetRaisedFromCStr("TypeError", "not the type of an object");
    return -1;
  }
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
