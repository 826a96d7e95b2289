// story: TVMFFIErrorSetRaised takes the caller's reference in place of one of its own.
// breaks: SPL-0022 fail
// breaks: SPL-0023 fail
#include "split_fault.h"

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  real.TVMFFIErrorSetRaised(error);
  if (error) real.TVMFFIObjectDecRef(error);
}
