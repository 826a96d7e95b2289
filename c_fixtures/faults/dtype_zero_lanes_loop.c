// story: Zero lanes are waited for until they become some.
// breaks: DTY-0019 timeout
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  const char* x = str == NULL || str->data == NULL ? NULL : memchr(str->data, 'x', str->size);
  if (x != NULL && x + 2 == str->data + str->size && x[1] == '0') {
    for (volatile int lanes = 0; lanes == 0;) continue;
  }
  return real.TVMFFIDataTypeFromString(str, out);
}
