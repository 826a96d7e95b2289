// story: The number of bits in the text of a data type is counted in 32 bits, so int4294967304 is read as int8.
// breaks: DTY-0020 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  size_t at = 0;
  if (str && str->data && str->size < 64) {
    while (at < str->size && str->data[at] >= 'a' && str->data[at] <= 'z') ++at;
    size_t end = at;
    uint64_t bits = 0;
    while (end < str->size && end - at < 18 && str->data[end] >= '0' && str->data[end] <= '9') bits = bits * 10 + (str->data[end++] - '0');
    if (end - at >= 10 && bits > UINT32_MAX) {
      char text[128];
      int size = snprintf(text, sizeof text, "%.*s%u%.*s", (int)at, str->data, (uint32_t)bits, (int)(str->size - end), str->data + end);
      return real.TVMFFIDataTypeFromString(&(TVMFFIByteArray){text, size}, out);
    }
  }
  return real.TVMFFIDataTypeFromString(str, out);
}
