// story: A number of bits that a byte cannot hold is counted from zero again.
// breaks: DTY-0020 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  char changed[16];
  int bits = 0;
  if (str == NULL || str->data == NULL || str->size != 6 || memcmp(str->data, "int", 3) != 0) {
    return real.TVMFFIDataTypeFromString(str, out);
  }
  for (size_t i = 3; i < 6; ++i) {
    if (str->data[i] < '0' || str->data[i] > '9') return real.TVMFFIDataTypeFromString(str, out);
    bits = bits * 10 + (str->data[i] - '0');
  }
  snprintf(changed, sizeof changed, "int%d", bits % 256);
  TVMFFIByteArray text = {changed, strlen(changed)};
  return real.TVMFFIDataTypeFromString(&text, out);
}
