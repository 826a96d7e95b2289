// story: TVMFFIErrorMoveFromRaised writes nothing when no error is raised.
// breaks: SPL-0023 fail
#include "split_fault.h"

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  TVMFFIObjectHandle taken;
  real.TVMFFIErrorMoveFromRaised(&taken);
  if (taken) *result = taken;
}
