// story: The text bool is read as one unsigned bit, as it was up to 0.1.2.
// breaks: DTY-0004 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  int code = real.TVMFFIDataTypeFromString(str, out);
  if (code == 0 && str->size == 4 && memcmp(str->data, "bool", 4) == 0) {
    out->code = kDLUInt;
    out->bits = 1;
  }
  return code;
}
