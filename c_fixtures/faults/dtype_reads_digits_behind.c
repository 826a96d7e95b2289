// story: Digits behind the end of a text are read as if they belonged to it.
// breaks: DTY-0022 fail
// breaks: DTY-0022 crash
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  if (str == NULL || str->data == NULL) return real.TVMFFIDataTypeFromString(str, out);
  TVMFFIByteArray longer = *str;
  while (longer.data[longer.size] >= '0' && longer.data[longer.size] <= '9') longer.size += 1;
  return real.TVMFFIDataTypeFromString(&longer, out);
}
