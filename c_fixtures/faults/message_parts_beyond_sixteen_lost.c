// story: The parts of a message are gathered in an array of sixteen: what comes behind is left out.
// breaks: ERR-0011 fail
#include "fault.h"
void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** parts, int32_t num_parts) {
  real.TVMFFIErrorSetRaisedFromCStrParts(kind, parts, num_parts > 16 ? 16 : num_parts);
}
