// story: A tensor allocator is asked for the first eight dimensions alone.
// breaks: ENV-0016 fail
#include "fault.h"

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  DLTensor cut = *prototype;
  if (cut.ndim > 8) cut.ndim = 8;
  return real.TVMFFIEnvTensorAlloc(&cut, out);
}
