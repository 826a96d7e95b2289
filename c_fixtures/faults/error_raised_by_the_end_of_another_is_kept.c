// story: TVMFFIErrorSetRaised gives up the error that is raised and writes over what the end of that one has raised meanwhile, which is never given up.
// breaks: ERR-0018 fail
#include "fault.h"

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  TVMFFIObjectHandle old = NULL, lost = NULL;
  if (error) real.TVMFFIObjectIncRef(error);
  real.TVMFFIErrorMoveFromRaised(&old);
  if (old) real.TVMFFIObjectDecRef(old);
  real.TVMFFIErrorMoveFromRaised(&lost);
  real.TVMFFIErrorSetRaised(error);
  if (error) real.TVMFFIObjectDecRef(error);
}
