// story: `float6_e3m2fn` is read as `float6_e2m3fn`.
// breaks: DTY-0009 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  int code = real.TVMFFIDataTypeFromString(str, out);
  if (code == 0 && out->code == kDLFloat6_e3m2fn) out->code = kDLFloat6_e2m3fn;
  return code;
}
