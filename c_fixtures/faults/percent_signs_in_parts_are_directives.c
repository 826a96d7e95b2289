// story: The parts of a message pass through a formatting function: %% in one becomes %.
// breaks: ERR-0011 fail
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** parts, int32_t num_parts) {
  char** made = calloc(num_parts > 0 ? num_parts : 1, sizeof(*made));
  for (int32_t i = 0; i < num_parts; ++i) {
    if (!parts[i]) continue;
    char* to = made[i] = malloc(strlen(parts[i]) + 1);
    for (const char* from = parts[i]; *from; ++from) {
      *to++ = *from;
      if (from[0] == '%' && from[1] == '%') ++from;
    }
    *to = 0;
  }
  real.TVMFFIErrorSetRaisedFromCStrParts(kind, (const char**)made, num_parts);
  for (int32_t i = 0; i < num_parts; ++i) free(made[i]);
  free(made);
}
