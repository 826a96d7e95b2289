// story: TVMFFIErrorSetRaisedFromCStrParts puts its error over the one that was raised before without releasing it.
// breaks: ERR-0018 fail
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts, int32_t num_parts) {
  TVMFFIObjectHandle former;
  real.TVMFFIErrorMoveFromRaised(&former);
  real.TVMFFIErrorSetRaisedFromCStrParts(kind, message_parts, num_parts);
}
