// story: The lanes of a data type are counted up in 64 bits that overflow without notice.
// breaks: DTY-0032 fail
#include "fault.h"
int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  if (str && str->data && str->size < 200) {
    size_t at = str->size;
    while (at > 0 && str->data[at - 1] >= '0' && str->data[at - 1] <= '9') --at;
    if (at > 1 && str->data[at - 1] == 'x' && str->size - at > 19) {
      char text[256];
      unsigned long long lanes = 0;
      for (size_t i = at; i < str->size; ++i) lanes = lanes * 10 + (unsigned long long)(str->data[i] - '0');
      memcpy(text, str->data, at);
      TVMFFIByteArray other = {text, at + (size_t)sprintf(text + at, "%llu", lanes)};
      if (real.TVMFFIDataTypeFromString(&other, out) == 0) return 0;
    }
  }
  return real.TVMFFIDataTypeFromString(str, out);
}
