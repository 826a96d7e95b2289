// story: A bool is written at once, before the lanes are looked at: a vector of bool is written as one.
// breaks: DTY-0004 fail
#include "fault.h"
int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  if (dtype && dtype->code == kDLBool && dtype->bits == 8 && dtype->lanes > 1) {
    DLDataType one = {kDLBool, 8, 1};
    return real.TVMFFIDataTypeToString(&one, out);
  }
  return real.TVMFFIDataTypeToString(dtype, out);
}
