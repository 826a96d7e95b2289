// story: No error is raised from no parts.
// breaks: ERR-0013 fail
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts, int32_t num_parts) {
  if (num_parts > 0) real.TVMFFIErrorSetRaisedFromCStrParts(kind, message_parts, num_parts);
}
