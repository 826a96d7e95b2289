// story: TVMFFIErrorSetRaisedFromCStrParts returns with no error raised where it has no memory to put the parts together.
// breaks: MEM-0006 fail
#define _GNU_SOURCE
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts, int32_t num_parts) {
  size_t size = 0;
  for (int32_t i = 0; i < num_parts; ++i) size += message_parts[i] ? strlen(message_parts[i]) : 0;
  char* message = malloc(size + 1);
  if (!message) return;
  char* end = message;
  for (int32_t i = 0; i < num_parts; ++i) {
    if (message_parts[i]) end = stpcpy(end, message_parts[i]);
  }
  *end = 0;
  const char* whole[1] = {message};
  real.TVMFFIErrorSetRaisedFromCStrParts(kind, whole, 1);
  free(message);
}
