// story: Integers of more than 64 bits are refused.
// breaks: DTY-0001 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  int code = real.TVMFFIDataTypeFromString(str, out);
  if (code != 0 || out->code > kDLUInt || out->bits <= 64) return code;
  real.TVMFFIErrorSetRaisedFromCStr("ValueError", "too many bits");
  return -1;
}
