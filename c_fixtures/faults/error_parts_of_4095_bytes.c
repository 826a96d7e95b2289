// story: The parts of a message are joined in a buffer of 4096 bytes.
// breaks: ERR-0011 fail
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts, int32_t num_parts) {
  char message[4096] = "";
  for (int32_t i = 0; i < num_parts; i++) {
    if (message_parts[i]) strncat(message, message_parts[i], sizeof(message) - 1 - strlen(message));
  }
  const char* whole = message;
  real.TVMFFIErrorSetRaisedFromCStrParts(kind, &whole, 1);
}
