// story: The library keeps a reference to every Tensor that it allocates.
// breaks: ENV-0019 fail
// breaks: ENV-0025 leak
#include "fault.h"

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  if (code == 0) real.TVMFFIObjectIncRef(*out);
  return code;
}
