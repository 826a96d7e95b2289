// story: The lanes behind xvscalex are added up in 64 bits without a look at the overflow, though those behind a plain x are checked.
// breaks: DTY-0032 fail
#include "fault.h"
int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  static const char word[] = "xvscalex";
  const size_t length = sizeof(word) - 1;
  if (str && str->data && out) {
    for (size_t i = 0; i + length + 20 <= str->size && i < 16; ++i) {
      if (memcmp(str->data + i, word, length) != 0) continue;
      uint64_t lanes = 0;
      size_t at = i + length;
      while (at < str->size && str->data[at] >= '0' && str->data[at] <= '9') lanes = lanes * 10 + (uint64_t)(str->data[at++] - '0');
      if (at != str->size) break;
      char copy[64];
      memcpy(copy, str->data, i + length);
      const int digits = snprintf(copy + i + length, 24, "%llu", (unsigned long long)lanes);
      const TVMFFIByteArray wrapped = {copy, i + length + (size_t)digits};
      return real.TVMFFIDataTypeFromString(&wrapped, out);
    }
  }
  return real.TVMFFIDataTypeFromString(str, out);
}
