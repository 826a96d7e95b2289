// story: The lanes of a data type are read with a function for C strings: digits behind the end of the text belong to them.
// breaks: DTY-0022 fail
// chance: What lies behind the text is read.
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  if (!str || !str->data || str->size < 4 || str->size > 64) return real.TVMFFIDataTypeFromString(str, out);
  size_t digits = str->size, more = 0;
  while (digits > 0 && str->data[digits - 1] >= '0' && str->data[digits - 1] <= '9') --digits;
  if (digits == str->size || digits == 0 || str->data[digits - 1] != 'x') return real.TVMFFIDataTypeFromString(str, out);
  while (more < 3 && str->data[str->size + more] >= '0' && str->data[str->size + more] <= '9') ++more;
  const TVMFFIByteArray longer = {str->data, str->size + more};
  return real.TVMFFIDataTypeFromString(&longer, out);
}
