// story: Making sure that a column exists is refused when it exists.
// breaks: RFL-0028 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (type_index == kTVMFFINone && attr_name && real.TVMFFIGetTypeAttrColumn(attr_name)) {
    real.TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the attribute is already registered");
    return -1;
  }
  return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
}
