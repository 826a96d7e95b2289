// story: The lanes of a vector of six-bit and four-bit floats are not written.
// breaks: DTY-0010 fail
// breaks: DTY-0016 fail
#include "fault.h"
int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  if (dtype && dtype->code >= 15 && dtype->code <= 17 && dtype->lanes > 1) {
    DLDataType one = *dtype;
    one.lanes = 1;
    return real.TVMFFIDataTypeToString(&one, out);
  }
  return real.TVMFFIDataTypeToString(dtype, out);
}
