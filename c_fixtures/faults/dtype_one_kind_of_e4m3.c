// story: The two kinds of float8_e4m3 that end in uz are read as one.
// breaks: DTY-0008 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  int code = real.TVMFFIDataTypeFromString(str, out);
  if (code == 0 && out->code == kDLFloat8_e4m3b11fnuz) out->code = kDLFloat8_e4m3fnuz;
  return code;
}
