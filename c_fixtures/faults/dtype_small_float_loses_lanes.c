// story: The lanes of a vector of floats narrower than a byte are not written.
// breaks: DTY-0010 fail
// breaks: DTY-0016 fail
#include "fault.h"

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  if (!dtype || dtype->bits >= 8 || dtype->code < kDLFloat6_e2m3fn || dtype->code > kDLFloat4_e2m1fn) {
    return real.TVMFFIDataTypeToString(dtype, out);
  }
  DLDataType scalar = {dtype->code, dtype->bits, 1};
  return real.TVMFFIDataTypeToString(&scalar, out);
}
