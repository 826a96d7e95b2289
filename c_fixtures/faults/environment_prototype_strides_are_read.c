// story: Allocating a tensor looks at the strides of the prototype when there are any.
// breaks: ENV-0037 crash
#include "fault.h"

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  if (prototype != NULL && prototype->ndim > 0 && prototype->strides != NULL) (void)*(volatile int64_t*)prototype->strides;
  return real.TVMFFIEnvTensorAlloc(prototype, out);
}
