// story: The allocator's error is raised as an InternalError.
// breaks: ENV-0022 fail
#include "fault.h"

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  TVMFFIObjectHandle error = NULL;
  if (code == 0) return 0;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (error) real.TVMFFIObjectDecRef(error);
  real.TVMFFIErrorSetRaisedFromCStr("InternalError", "the allocator failed");
  return code;
}
