// story: TVMFFIEnvTensorAlloc copies the shape of the prototype to memory that it may not have got.
// breaks: MEM-0001 crash
#include "fault.h"

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  if (!prototype || prototype->ndim <= 0 || !prototype->shape) return real.TVMFFIEnvTensorAlloc(prototype, out);
  volatile int64_t* shape = malloc(sizeof(int64_t) * prototype->ndim);
  for (int32_t i = 0; i < prototype->ndim; ++i) shape[i] = prototype->shape[i];
  DLTensor copy = *prototype;
  copy.shape = (int64_t*)shape;
  int code = real.TVMFFIEnvTensorAlloc(&copy, out);
  free((void*)shape);
  return code;
}
