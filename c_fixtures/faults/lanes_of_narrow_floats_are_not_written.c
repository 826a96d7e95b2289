// story: Floats of six and four bits are written without their lanes.
// breaks: DTY-0010 fail
// breaks: DTY-0016 fail
#include "fault.h"

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  if (!dtype || dtype->code < 15 || dtype->code > 17 || dtype->lanes < 2) return real.TVMFFIDataTypeToString(dtype, out);
  return real.TVMFFIDataTypeToString(&(DLDataType){dtype->code, dtype->bits, 1}, out);
}
