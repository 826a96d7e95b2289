// story: A part that is NULL ends the message.
// breaks: ERR-0012 fail
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** parts, int32_t count) {
  int32_t until = 0;
  while (until < count && parts[until]) ++until;
  real.TVMFFIErrorSetRaisedFromCStrParts(kind, parts, until);
}
