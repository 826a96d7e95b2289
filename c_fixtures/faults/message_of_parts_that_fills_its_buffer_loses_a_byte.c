// story: A message of parts is put together in a buffer that grows by 256 bytes; where it is just full, the NUL takes the place of the last byte.
// breaks: ERR-0011 fail
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts, int32_t num_parts) {
  size_t size = 0;
  for (int32_t i = 0; i < num_parts; i++) size += message_parts[i] ? strlen(message_parts[i]) : 0;
  char* text = size && size % 256 == 0 ? malloc(size + 1) : NULL;
  if (!text) return real.TVMFFIErrorSetRaisedFromCStrParts(kind, message_parts, num_parts);
  char* end = text;
  for (int32_t i = 0; i < num_parts; i++) {
    if (message_parts[i]) end = stpcpy(end, message_parts[i]);
  }
  text[size - 1] = 0;
  const char* whole = text;
  real.TVMFFIErrorSetRaisedFromCStrParts(kind, &whole, 1);
  free(text);
}
