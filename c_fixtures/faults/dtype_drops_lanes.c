// story: The lanes of a float vector are not written.
// breaks: DTY-0010 fail
#include "fault.h"

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  if (dtype == NULL || dtype->code != kDLFloat || (int16_t)dtype->lanes < 2) return real.TVMFFIDataTypeToString(dtype, out);
  DLDataType lane = *dtype;
  lane.lanes = 1;
  return real.TVMFFIDataTypeToString(&lane, out);
}
