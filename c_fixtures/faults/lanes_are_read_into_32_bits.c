// story: The number of lanes is read into 32 bits and judged afterwards, so 4294967300 lanes are four.
// breaks: DTY-0020 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  size_t digits = 0;
  while (digits < str->size && str->data[str->size - 1 - digits] >= '0' && str->data[str->size - 1 - digits] <= '9') ++digits;
  const size_t begin = str->size - digits;
  if (digits < 10 || digits > 18 || begin < 2 || begin > 64 || str->data[begin - 1] != 'x') return real.TVMFFIDataTypeFromString(str, out);
  uint32_t lanes = 0;
  for (size_t i = begin; i < str->size; ++i) lanes = lanes * 10 + (uint32_t)(str->data[i] - '0');
  char text[96];
  const int size = snprintf(text, sizeof(text), "%.*s%u", (int)begin, str->data, lanes);
  const TVMFFIByteArray shorter = {text, (size_t)size};
  return real.TVMFFIDataTypeFromString(&shorter, out);
}
