// story: Raising an error that is raised already takes a second reference to it.
// breaks: ERR-0016 fail
#include "fault.h"

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  TVMFFIObjectHandle current = NULL;
  real.TVMFFIErrorMoveFromRaised(&current);
  real.TVMFFIErrorSetRaised(error);
  if (current && current != error) real.TVMFFIObjectDecRef(current);
}
