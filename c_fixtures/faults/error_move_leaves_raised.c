// story: Taking the raised error hands out another reference to it and leaves it raised.
// breaks: ERR-0014 fail
#include "fault.h"

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  real.TVMFFIErrorMoveFromRaised(result);
  real.TVMFFIErrorSetRaised(*result);
}
