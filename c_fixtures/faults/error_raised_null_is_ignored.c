// story: Raising NULL, which takes the raised error away, is taken for a mistake and ignored.
// breaks: ERR-0017 fail
#include "fault.h"

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  if (error != NULL) real.TVMFFIErrorSetRaised(error);
}
