// story: The parts of a message are joined in a buffer of the thread, which is emptied with the first part: without any part it still has the message before.
// breaks: ERR-0013 fail
#include "fault.h"

static _Thread_local char buffer[1024];

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts, int32_t num_parts) {
  if (num_parts <= 0 && buffer[0]) {
    real.TVMFFIErrorSetRaisedFromCStr(kind, buffer);
    return;
  }
  size_t length = 0;
  for (int32_t i = 0; i < num_parts; ++i) {
    if (i == 0) buffer[0] = 0;
    const char* part = message_parts[i] ? message_parts[i] : "";
    const size_t size = strlen(part);
    if (length + size >= sizeof(buffer)) break;
    memcpy(buffer + length, part, size + 1);
    length += size;
  }
  real.TVMFFIErrorSetRaisedFromCStrParts(kind, message_parts, num_parts);
}
