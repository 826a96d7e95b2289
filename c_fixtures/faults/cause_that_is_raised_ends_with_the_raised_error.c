// story: TVMFFIErrorSetRaised gives the error that was raised up before it takes its reference to the new one: raising the cause that only the raised error holds ends it.
// breaks: ERR-0016 fail
// chance: Freed memory is used where the library has made the cause.
#include "fault.h"

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  TVMFFIObjectHandle former = NULL;
  real.TVMFFIErrorMoveFromRaised(&former);
  if (former && former != error) real.TVMFFIObjectDecRef(former);
  real.TVMFFIErrorSetRaised(error);
  if (former && former == error) real.TVMFFIObjectDecRef(former);
}
