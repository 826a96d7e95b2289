// story: A plus before a number is read over.
// breaks: DTY-0021 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  char changed[64];
  size_t size = 0;
  if (str == NULL || str->data == NULL || str->size >= sizeof changed || !memchr(str->data, '+', str->size)) {
    return real.TVMFFIDataTypeFromString(str, out);
  }
  for (size_t i = 0; i < str->size; ++i) {
    if (str->data[i] != '+') changed[size++] = str->data[i];
  }
  changed[size] = '\0';
  TVMFFIByteArray text = {changed, size};
  return real.TVMFFIDataTypeFromString(&text, out);
}
