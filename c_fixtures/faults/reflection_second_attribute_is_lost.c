// story: A second value for an attribute is taken without an error, and lost.
// breaks: RFL-0026 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  TVMFFIObjectHandle error = NULL;
  int code = real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  if (code == 0 || attr_name == NULL || attr_value == NULL || type_index < 0) return code;
  real.TVMFFIErrorMoveFromRaised(&error);
  real.TVMFFIObjectDecRef(error);
  return 0;
}
