// story: An error that is raised from a C string has no function that updates its backtrace.
// breaks: ERR-0001 fail
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  cell->update_backtrace = NULL;
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
}
