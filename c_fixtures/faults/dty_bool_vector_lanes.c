// story: A vector of booleans is written as `bool`, without its lanes.
// breaks: DTY-0004 fail
#include "fault.h"
int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  if (dtype && dtype->code == kDLBool && dtype->bits == 8 && dtype->lanes > 1) {
    DLDataType one = *dtype;
    one.lanes = 1;
    return real.TVMFFIDataTypeToString(&one, out);
  }
  return real.TVMFFIDataTypeToString(dtype, out);
}
