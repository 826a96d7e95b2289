// story: An error that was raised before is put back when a tensor could not be allocated, in the place of what the allocator reported.
// breaks: ERR-0035 fail
#include "fault.h"

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  TVMFFIObjectHandle former = NULL;
  real.TVMFFIErrorMoveFromRaised(&former);
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  if (former) {
    real.TVMFFIErrorSetRaised(former);
    real.TVMFFIObjectDecRef(former);
  }
  return code;
}
