// story: TVMFFIErrorSetRaised releases the raised error before it takes the new one, so the raised error cannot be raised again when nobody else holds it.
// breaks: ERR-0016 fail
#include "fault.h"
void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  TVMFFIObjectHandle old = NULL;
  real.TVMFFIErrorMoveFromRaised(&old);
  if (old) real.TVMFFIObjectDecRef(old);
  real.TVMFFIErrorSetRaised(error);
}
