// story: An attribute that is refused leaves the error raised that was raised before it: the new one is dropped, as for a query.
// breaks: ERR-0035 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  TVMFFIObjectHandle earlier = NULL;
  real.TVMFFIErrorMoveFromRaised(&earlier);
  int code = real.TVMFFITypeRegisterAttr(type_index, name, value);
  if (earlier) {
    real.TVMFFIErrorSetRaised(earlier);
    real.TVMFFIObjectDecRef(earlier);
  }
  return code;
}
