// story: Taking the raised error hands out another reference to it and leaves it raised.
// breaks: ERR-0014 fail
// breaks: ERR-0015 fail
// breaks: ERR-0016 fail
// breaks: ERR-0018 fail
// breaks: ERR-0019 fail
// breaks: ERR-0020 fail
// breaks: ERR-0023 fail
// breaks: OBJ-0022 fail
#include "fault.h"

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  real.TVMFFIErrorMoveFromRaised(result);
  real.TVMFFIErrorSetRaised(*result);
}
