// story: The lanes behind a data type are read by strtol with base 0, so that those that begin with a 0 count as octal.
// breaks: DTY-0010 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  int code = real.TVMFFIDataTypeFromString(str, out);
  if (code != 0) return code;
  size_t digits = str->size;
  while (digits > 0 && str->data[digits - 1] >= '0' && str->data[digits - 1] <= '9') --digits;
  if (digits < 2 || str->data[digits - 1] != 'x' || str->data[digits] != '0' || str->size - digits > 8) return 0;
  char text[16] = {0};
  memcpy(text, str->data + digits, str->size - digits);
  const long lanes = strtol(text, NULL, 0);
  if (lanes > 0) out->lanes = (uint16_t)lanes;
  return 0;
}
