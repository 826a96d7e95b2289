// story: The text of an error is put together in a buffer of 100 KiB on the stack.
// breaks: ERR-0036 crash
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  volatile char buffer[100 << 10];
  size_t size = message ? strlen(message) : 0;
  for (size_t at = sizeof buffer; at > 0; at -= 1024) buffer[at - 1] = 0;
  if (size >= sizeof buffer) {
    real.TVMFFIErrorSetRaisedFromCStr(kind, message);
    return;
  }
  if (message) memcpy((char*)buffer, message, size + 1);
  real.TVMFFIErrorSetRaisedFromCStr(kind, message ? (const char*)buffer : NULL);
}
