// story: A number of bits that 64 bits cannot hold is counted from zero again.
// breaks: DTY-0032 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  char changed[64];
  size_t begin = 0, end;
  uint64_t number = 0;
  if (str == NULL || str->data == NULL || str->size > 40) return real.TVMFFIDataTypeFromString(str, out);
  while (begin < str->size && (str->data[begin] < '0' || str->data[begin] > '9')) ++begin;
  for (end = begin; end < str->size && str->data[end] >= '0' && str->data[end] <= '9'; ++end) {
    number = number * 10 + (uint64_t)(str->data[end] - '0');
  }
  if (end - begin < 20) return real.TVMFFIDataTypeFromString(str, out);
  snprintf(changed, sizeof changed, "%.*s%llu%.*s", (int)begin, str->data, (unsigned long long)number,
           (int)(str->size - end), str->data + end);
  TVMFFIByteArray text = {changed, strlen(changed)};
  return real.TVMFFIDataTypeFromString(&text, out);
}
