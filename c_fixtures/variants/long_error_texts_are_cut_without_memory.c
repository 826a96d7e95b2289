// story: Where there is no memory for the copy of an error's text, TVMFFIErrorSetRaisedFromCStr raises the error with the first sixty bytes of it.
// admitted: MEM-0006, "that one or another".
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  char some[64];
  if (!message) return real.TVMFFIErrorSetRaisedFromCStr(kind, message);
  const size_t size = strlen(message);
  char* copy = malloc(size + 1);
  if (copy) {
    memcpy(copy, message, size + 1);
  } else if (size > 60) {
    memcpy(some, message, 60);
    memcpy(some + 60, "...", 4);
  } else {
    memcpy(some, message, size + 1);
  }
  real.TVMFFIErrorSetRaisedFromCStr(kind, copy ? copy : some);
  free(copy);
}
