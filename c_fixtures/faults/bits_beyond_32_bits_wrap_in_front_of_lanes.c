// story: The number of bits is read into 32 bits where lanes follow it, so 4294967304 bits are eight.
// breaks: DTY-0020 fail
#include "fault.h"

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  if (!str || !str->data || str->size > 60) return real.TVMFFIDataTypeFromString(str, out);
  char text[64] = {0};
  memcpy(text, str->data, str->size);
  char* digits = text + strcspn(text, "0123456789");
  char* end = digits;
  const unsigned long long bits = strtoull(digits, &end, 10);
  if (end == digits || *end != 'x' || end - digits > 18 || bits >> 32 == 0) return real.TVMFFIDataTypeFromString(str, out);
  char cut[96];
  snprintf(cut, sizeof(cut), "%.*s%u%s", (int)(digits - text), text, (unsigned)bits, end);
  const TVMFFIByteArray other = {cut, strlen(cut) + (str->size - strlen(text))};
  return real.TVMFFIDataTypeFromString(&other, out);
}

