// story: The short name bf16 is read as float16.
// breaks: DTY-0023 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  int code = real.TVMFFIDataTypeFromString(str, out);
  if (code == 0 && str->size == 4 && memcmp(str->data, "bf16", 4) == 0) out->code = kDLFloat;
  return code;
}
