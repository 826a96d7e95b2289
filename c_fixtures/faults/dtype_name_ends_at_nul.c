// story: The name of a data type ends at its first NUL.
// breaks: DTY-0018 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  if (str == NULL || str->data == NULL) return real.TVMFFIDataTypeFromString(str, out);
  const char* nul = memchr(str->data, '\0', str->size);
  TVMFFIByteArray text = {str->data, nul != NULL ? (size_t)(nul - str->data) : str->size};
  return real.TVMFFIDataTypeFromString(&text, out);
}
