// story: The number of lanes is read with strtol, which skips a space or a plus sign before it.
// breaks: DTY-0021 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  char copy[64];
  if (str && str->data && str->size < sizeof copy) {
    memcpy(copy, str->data, str->size);
    char* x = memchr(copy, 'x', str->size);
    size_t at = x ? (size_t)(x - copy) + 1 : 0;
    if (x && at + 1 < str->size && (copy[at] == ' ' || copy[at] == '+')) {
      memmove(copy + at, copy + at + 1, str->size - at - 1);
      TVMFFIByteArray shorter = {copy, str->size - 1};
      return real.TVMFFIDataTypeFromString(&shorter, out);
    }
  }
  return real.TVMFFIDataTypeFromString(str, out);
}
