// story: Vectors of one unsigned bit, which once were how booleans were told, are still written as vectors of bool, and read as such.
// breaks: DTY-0016 fail
#include "fault.h"

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  if (dtype->code != kDLUInt || dtype->bits != 1 || (int16_t)dtype->lanes <= 1) return real.TVMFFIDataTypeToString(dtype, out);
  const DLDataType booleans = {kDLBool, 8, dtype->lanes};
  return real.TVMFFIDataTypeToString(&booleans, out);
}
