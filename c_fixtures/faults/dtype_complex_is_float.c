// story: A complex data type is written as a float of as many bits.
// breaks: DTY-0033 fail
#include "fault.h"

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  if (dtype == NULL || dtype->code != kDLComplex) return real.TVMFFIDataTypeToString(dtype, out);
  DLDataType changed = *dtype;
  changed.code = kDLFloat;
  return real.TVMFFIDataTypeToString(&changed, out);
}
