// story: TVMFFIErrorMoveFromRaised hands out a reference and leaves the Error raised.
// breaks: SPL-0004 fail
// breaks: SPL-0023 fail
// breaks: SPL-0015 fail
#include "split_fault.h"

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  real.TVMFFIErrorMoveFromRaised(result);
  if (*result) real.TVMFFIErrorSetRaised(*result);
}
