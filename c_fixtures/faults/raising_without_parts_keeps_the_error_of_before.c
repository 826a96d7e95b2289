// story: TVMFFIErrorSetRaisedFromCStrParts without parts does not release the error that was raised before.
// breaks: ERR-0018 fail
#include "fault.h"
void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** parts, int32_t num_parts) {
  TVMFFIObjectHandle before = NULL;
  if (num_parts == 0) real.TVMFFIErrorMoveFromRaised(&before);
  real.TVMFFIErrorSetRaisedFromCStrParts(kind, parts, num_parts);
}
