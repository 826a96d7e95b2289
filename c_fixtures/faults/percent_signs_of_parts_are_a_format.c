// story: The parts of a message go through a function of the printf family: two percent signs become one.
// breaks: ERR-0011 fail
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts, int32_t num_parts) {
  char** parts = calloc(num_parts > 0 ? num_parts : 1, sizeof(*parts));
  for (int32_t i = 0; i < num_parts; ++i) {
    if (!message_parts[i]) continue;
    char* to = parts[i] = strdup(message_parts[i]);
    for (const char* at = message_parts[i]; *at; ++at) {
      *to++ = *at;
      if (at[0] == '%' && at[1] == '%') ++at;
    }
    *to = 0;
  }
  real.TVMFFIErrorSetRaisedFromCStrParts(kind, (const char**)parts, num_parts);
  for (int32_t i = 0; i < num_parts; ++i) free(parts[i]);
  free(parts);
}
