// story: TVMFFIDataTypeFromString that fails leaves the error raised that was raised before, as the one that must be the cause.
// breaks: ERR-0035 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  TVMFFIObjectHandle former = NULL;
  real.TVMFFIErrorMoveFromRaised(&former);
  int code = real.TVMFFIDataTypeFromString(str, out);
  if (former) {
    real.TVMFFIErrorSetRaised(former);
    real.TVMFFIObjectDecRef(former);
  }
  return code;
}
