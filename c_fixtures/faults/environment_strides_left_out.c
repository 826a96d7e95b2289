// story: A Tensor of three dimensions is allocated without strides.
// breaks: ENV-0018 fail
#include "fault.h"

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  int code = real.TVMFFIEnvTensorAlloc(prototype, out);
  if (code == 0 && prototype->ndim == 3) ((DLTensor*)((TVMFFIObject*)*out + 1))->strides = NULL;
  return code;
}
