// story: Where the allocator leaves the strides out, they are made of the extents that were asked for, and not of those that it made.
// breaks: ENV-0018 fail
#include "fault.h"

int TVMFFIEnvTensorAlloc(DLTensor* prototype, TVMFFIObjectHandle* out) {
  int status = real.TVMFFIEnvTensorAlloc(prototype, out);
  if (status != 0) return status;
  DLTensor* made = (DLTensor*)((TVMFFIObject*)*out + 1);
  /* Strides that lie elsewhere are the allocator's own. */
  ptrdiff_t inside = (char*)made->strides - (char*)*out;
  if (made->ndim != prototype->ndim || inside < 0 || inside > 256) return status;
  int64_t stride = 1;
  for (int32_t i = made->ndim; i-- > 0; stride *= prototype->shape[i]) made->strides[i] = stride;
  return status;
}
