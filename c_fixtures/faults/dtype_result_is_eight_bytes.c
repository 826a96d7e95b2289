// story: Reading a text writes eight bytes instead of four.
// breaks: DTY-0015 fail
// chance: What lies behind the data type in the memory of the caller may be anything.
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  int code = real.TVMFFIDataTypeFromString(str, out);
  if (code == 0 && str->size == 13) memset(out + 1, 0, sizeof(*out));
  return code;
}
