// story: TVMFFIErrorSetRaised with NULL leaves the raised error as it is.
// admitted: ERR-0017 is a SHOULD (broken here); TVMFFIErrorMoveFromRaised clears it (ERR-0014).
#include "fault.h"

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  if (error) real.TVMFFIErrorSetRaised(error);
}
